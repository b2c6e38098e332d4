/** MCP server for a composition: over streams with `serveStdio`, over HTTP with `startHttpEndpoint` or the plugin `./http`. */
export { ConnectionConfig, HttpConfig } from './config.js'
export type { Connection } from './connection/connection.js'
export { resolveWorkspace } from './connection/workspace.js'
export { isLoopback } from './core/http-guard.js'
export { MCP_ERRORS, McpBridgeError, type McpErrorCode } from './errors.js'
export { type HttpEndpoint, startHttpEndpoint } from './http/endpoint.js'
export { serveStdio } from './stdio.js'
