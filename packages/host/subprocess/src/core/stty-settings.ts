/** Line-discipline settings out of `stty -a`, stty(1). */
export interface SttySettings {
  readonly echo: boolean
  readonly canonical: boolean
  readonly signals: boolean
}

/**
 * Read the flags of `stty -a`, GNU and BSD alike: a flag is a word, and a leading `-` negates it.
 * @returns `undefined` when a flag is missing, so that nothing is guessed.
 */
export function parseSttySettings(text: string): SttySettings | undefined {
  const words = new Set(text.split(/[\s;]+/))
  const flag = (name: string) => (words.has(name) ? true : words.has(`-${name}`) ? false : undefined)
  const echo = flag('echo')
  const canonical = flag('icanon')
  const signals = flag('isig')
  if (echo === undefined || canonical === undefined || signals === undefined) return undefined
  return { echo, canonical, signals }
}
