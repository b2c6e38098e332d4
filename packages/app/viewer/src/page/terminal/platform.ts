export const isMac = /^(?:Mac|iPhone|iPad)/.test(navigator.platform)
/** Key that opens links with a click. */
export const modifierName = isMac ? '⌘' : 'Ctrl'
