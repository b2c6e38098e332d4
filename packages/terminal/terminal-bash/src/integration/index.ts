export { createNonce, type HandoverStep, NonceHandover } from './handover.js'
export type { ShellLevel } from './script/script.js'
export { resolveShellStart, type ShellStart, type ShellStartOptions } from './start.js'
