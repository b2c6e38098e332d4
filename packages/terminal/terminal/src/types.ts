/**
 * The terminal contract: what an owner, a backend and an observer can rely on.
 * Seed, "Agent ownership and identity" and "Six model-facing tools"; architecture §3.
 */
export * from './contract/backend.js'
export * from './contract/events.js'
export * from './contract/read.js'
export * from './contract/send.js'
export * from './contract/service.js'
export * from './contract/summary.js'
export * from './contract/vocabulary.js'
export type { ExitStatus, HeldPhase, SessionStatus, TerminalClaim, Unseen } from './core/index.js'
