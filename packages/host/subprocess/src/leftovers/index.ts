export { endLeftovers } from './end.js'
export { findLeftovers, type Leftover, type LeftoverFindings } from './find.js'
