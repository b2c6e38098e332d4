import type { BackendEvent, PromptDetection } from '@agent-terminals/terminal'
import {
  type FinishedCommand,
  lastCommand,
  type PromptPhase,
  promptDetection,
  type ShellTracking,
  STARTING,
  type TrackingEvent,
  trackShell,
} from '../core/index.js'

const PHASES: Readonly<Record<ShellTracking['phase']['kind'], PromptPhase>> = {
  starting: 'starting',
  prompting: 'between',
  editing: 'prompt',
  continuing: 'continuation',
  running: 'running',
  doubtful: 'doubtful',
  between: 'between',
  exiting: 'exiting',
  lost: 'lost',
}

/** What the shell has said about itself so far, and what observers hear of it. */
export class ShellRecord {
  private tracking: ShellTracking = STARTING

  get phase(): PromptPhase {
    return PHASES[this.tracking.phase.kind]
  }

  get cwd(): string | undefined {
    return this.tracking.cwd
  }

  get promptDetection(): PromptDetection {
    return promptDetection(this.tracking)
  }

  /** Whether prompts, the line editor and its echo are drawn on this terminal. */
  get editorSeen(): boolean {
    return this.tracking.editorSeen
  }

  /** The newest command that ended. @param at - now. */
  lastCommand(at: number): FinishedCommand | undefined {
    return lastCommand(this.tracking, at)
  }

  /** @returns what observers are told. */
  handle(event: TrackingEvent, at: number): BackendEvent[] {
    const before = this.tracking
    const now = trackShell(before, event, at)
    this.tracking = now
    const events: BackendEvent[] = []
    if (now.finished && now.finished !== before.finished) {
      const { commandId, exitCode, durationMs } = now.finished
      events.push({ type: 'command-finished', commandId, exitCode, durationMs })
    }
    if (now.phase.kind === 'running' && now.commands !== before.commands) {
      const { commandId, commandLine = '' } = now.phase.command
      events.push({ type: 'command-executed', commandId, commandLine })
    }
    if (now.cwd !== undefined && now.cwd !== before.cwd) events.push({ type: 'cwd-changed', cwd: now.cwd })
    return events
  }
}
