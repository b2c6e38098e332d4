export { type Block, joinBlocks } from './core/blocks.js'
export { type Clipped, clipMiddle, clipWithSuffix, type Omitted, renderOmitted, SHORT_MARKER } from './core/bound.js'
export {
  type ControlState,
  cleanLine,
  cleanText,
  initialControlState,
  stripControls,
} from './core/control-text.js'
export { clipHead, clipTail, utf8Length } from './core/utf8.js'
