export { HOST_TAG_VARIABLE, type HostEnd } from './host-end.js'
export { joinHostEnd } from './join.js'
