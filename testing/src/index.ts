export { type Baseline, captureBaseline, useBaseline } from './baseline.js'
export { isAlive, listDescendants, type ProcessRow, readProcesses, waitUntil } from './processes.js'
