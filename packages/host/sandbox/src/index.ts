export * from './contract.js'
export { SANDBOX_ERRORS, SandboxError, type SandboxErrorCode } from './errors.js'
