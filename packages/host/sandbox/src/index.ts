export * from './contract.js'
export { SANDBOX_ERRORS, SandboxError } from './errors.js'
