/**
 * What a person wants to know of a machine before or after terminals run on it; for `agent-terminals doctor` and the like. Nothing
 * here needs the service.
 */
export { endLeftovers, findLeftovers, type Leftover, type LeftoverFindings } from '../leftovers/index.js'
export { type EvidenceReading, readEvidence } from './evidence.js'
export { describePtyLibrary, type PtyLibrary, type PtyTrial, tryPty } from './pty.js'
