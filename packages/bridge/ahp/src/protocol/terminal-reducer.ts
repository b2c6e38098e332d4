/** The terminal reducer: the same code on host and client, never changing its input. Sheet §9.1. */
import type { TerminalAction } from './actions.js'
import type { ContentPart, TerminalState } from './shapes.js'

/** Apply one action. An action without effect, or of an unknown type, gives the very same object. */
export function reduceTerminal(state: TerminalState, action: TerminalAction): TerminalState {
  switch (action.type) {
    case 'terminal/data':
      return { ...state, content: appendData(state.content, action.data) }
    case 'terminal/resized':
      return { ...state, cols: action.cols, rows: action.rows }
    case 'terminal/claimed':
      return { ...state, claim: action.claim }
    case 'terminal/titleChanged':
      return { ...state, title: action.title }
    case 'terminal/cwdChanged':
      return { ...state, cwd: action.cwd }
    case 'terminal/exited':
      return {
        ...state,
        lifecycle: {
          status: 'exited',
          ...(action.exitCode === undefined ? {} : { exitCode: action.exitCode }),
        },
      }
    case 'terminal/cleared':
      return { ...state, content: [] }
    case 'terminal/commandDetectionAvailable':
      return state.supportsCommandDetection === true ? state : { ...state, supportsCommandDetection: true }
    case 'terminal/commandExecuted':
      return {
        ...state,
        supportsCommandDetection: true,
        content: [
          ...state.content,
          {
            type: 'command',
            commandId: action.commandId,
            commandLine: action.commandLine,
            output: '',
            timestamp: action.timestamp,
            isComplete: false,
          },
        ],
      }
    case 'terminal/commandFinished':
      return finishCommand(state, action)
    default:
      return state
  }
}

/** Only the last part is looked at; an older incomplete command is not found again. */
function appendData(content: readonly ContentPart[], data: string): readonly ContentPart[] {
  const last = content.at(-1)
  if (last?.type === 'command' && !last.isComplete) return content.with(-1, { ...last, output: last.output + data })
  if (last?.type === 'unclassified') return content.with(-1, { ...last, value: last.value + data })
  return [...content, { type: 'unclassified', value: data }]
}

function finishCommand(
  state: TerminalState,
  { commandId, exitCode, durationMs }: Extract<TerminalAction, { type: 'terminal/commandFinished' }>,
): TerminalState {
  let { content } = state
  for (let index = content.length - 1; index >= 0; index--) {
    const part = content[index]
    if (part?.type !== 'command' || part.commandId !== commandId) continue
    // A value that the action lacks must be missing afterwards, whatever the part had.
    const { exitCode: _code, durationMs: _duration, ...rest } = part
    content = content.with(index, {
      ...rest,
      isComplete: true,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(durationMs === undefined ? {} : { durationMs }),
    })
  }
  return content === state.content ? state : { ...state, content }
}
