/** Plugin-free bridge: one agent, its prompts, and its session log as JSON lines. */
export { EXIT_CODES, exitCodeOf } from './exit-code.js'
export { type HeadlessHost, type HeadlessOptions, runHeadless } from './run.js'
