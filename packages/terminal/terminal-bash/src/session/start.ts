import { TerminalError } from '@agent-terminals/terminal'
import type { Verdict, ViewportText } from '../core/index.js'
import { type SessionParts, watchSources } from './parts.js'
import { resolveStartPolicy } from './ready-policy.js'
import { Watch } from './watch.js'

type Ready = Extract<Verdict, { kind: 'ready' }>

/**
 * Wait for the shell's first proven prompt. Silence proves nothing here.
 * @returns what was shown before it.
 * @throws the signal's own reason when it is aborted; TerminalError `SPAWN_FAILED` when the shell ends, `SPAWN_TIMEOUT`.
 */
export async function waitForFirstPrompt(parts: SessionParts, signal: AbortSignal): Promise<string> {
  const { stream, output, clock, config, debug } = parts
  const viewport = output.startViewport({})
  let watch: Watch | undefined
  let release: () => void = () => {}
  try {
    const verdict = await new Promise<Ready>((resolve, reject) => {
      const handleAbort = () => reject(signal.reason)
      if (signal.aborted) return handleAbort()
      signal.addEventListener('abort', handleAbort)
      watch = new Watch({
        sources: watchSources(parts),
        policy: resolveStartPolicy(config, parts.foreground),
        start: {
          type: 'start',
          at: clock.now(),
          input: 'none',
          phase: stream.phase,
          alternateScreen: false,
          bracketedPaste: false,
          addressing: false,
          keypad: false,
        },
        isTraced: debug !== undefined,
        onReady: resolve,
      })
      const unfollow = stream.follow({
        onFact: (fact) => watch?.add(fact),
        onShellEvent: (event) => {
          if (event.kind === 'prompt-start') viewport.suppress(true)
          if (event.kind === 'prompt-end') parts.foreground.expectShell()
        },
      })
      release = () => {
        unfollow()
        signal.removeEventListener('abort', handleAbort)
      }
      watch.begin()
    })
    const now = clock.now()
    if (watch?.trail) debug?.(watch.trail.render(verdict, watch.evidence, now), watch.trail.timeline(verdict, now))
    const shown = viewport.stop()
    if (verdict.reason === 'stdin_read') return shown.text
    throw describeFailure(parts, verdict, shown)
  } finally {
    watch?.stop()
    release()
    viewport.stop()
  }
}

function describeFailure({ handle, config }: SessionParts, verdict: Ready, shown: ViewportText): TerminalError {
  const output = shown.text.trim() === '' ? '' : ` It printed: ${shown.text.trim().slice(-1_000)}`
  if (verdict.reason === 'timeout') {
    return new TerminalError(
      'SPAWN_TIMEOUT',
      `The shell showed no prompt within ${config.startTimeoutMs} ms. ` +
        `Raise \`startTimeoutMs\`, or look for what its start files wait for.${output}`,
    )
  }
  const { exit } = handle
  const how = exit?.kind === 'code' ? `exit code ${exit.code}` : `signal ${exit?.signal ?? 'unknown'}`
  return new TerminalError('SPAWN_FAILED', `The shell ended before its first prompt, with ${how}.${output}`)
}
