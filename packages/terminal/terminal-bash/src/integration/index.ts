export { createNonce, type HandoverStep, NonceHandover } from './handover.js'
export { resolveShellStart, type ShellLevel, type ShellStart, type ShellStartOptions } from './start.js'
