export { joinBytes } from './bytes.js'
export { ESC, type KeyPlan, planKeys } from './input/keys.js'
export { type InputPlan, type InputRequest, type InputTarget, planInput } from './input/plan.js'
export { createTerminalOutput, type TerminalOutputOptions } from './output/output.js'
export type {
  FeedSummary,
  ModeChange,
  OutputSink,
  Page,
  ShellMark,
  TerminalOutput,
  TerminalQuery,
  ViewportCollector,
  ViewportText,
} from './output/types.js'
export { type Evidence, fold, startEvidence } from './readiness/evidence.js'
export type {
  Attributes,
  Fact,
  InputShape,
  LineShape,
  Look,
  PromptPhase,
  ShellSeen,
  StartFact,
  WaitSeen,
} from './readiness/facts.js'
export { describeLine } from './readiness/line.js'
export type { ReadinessPolicy } from './readiness/policy.js'
export { currentState, type ReadyState } from './readiness/state.js'
export { isBusy, judge, type ReadyReason, type Verdict } from './readiness/verdict.js'
export {
  type InterruptSignal,
  LADDER,
  type ReadyVerdict,
  type SendEffect,
  type SendEvent,
  type SendState,
  type Settlement,
  step,
  type Target,
} from './session/send.js'
export { type AuthenticatedMark, EXIT_ACKNOWLEDGEMENT, type ShellEvent } from './shell/events.js'
export { parseShellMark } from './shell/parse-mark.js'
export { readShownCommand } from './shell/shown-command.js'
export {
  type FinishedCommand,
  lastCommand,
  promptDetection,
  type RunningCommand,
  type ShellPhase as ShellTrackingPhase,
  type ShellTracking,
  STARTING,
  type TrackingEvent,
  trackShell,
} from './shell/tracking.js'
