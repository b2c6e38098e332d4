export { type Baseline, captureBaseline, useBaseline } from './baseline.js'
export { createDeferred, type Deferred } from './deferred.js'
export { isAlive, listDescendants, type ProcessRow, readProcesses, waitUntil } from './processes.js'
