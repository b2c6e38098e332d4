import type { AuthenticatedMark, ShellEvent } from './events.js'
import { unquoteShellWord } from './unquote.js'

/** @returns `undefined` for a kind or payload that this version does not know. */
export function parseShellMark(mark: AuthenticatedMark): ShellEvent | undefined {
  switch (mark.kind) {
    case 'prompt-start': {
      const [exitCode, line, limit] = mark.payload.split(';')
      return {
        kind: 'prompt-start',
        exitCode: parseCount(exitCode),
        line: parseCount(line),
        startsTold: limit === undefined,
        editorSeen: limit !== 'unseen',
      }
    }
    case 'prompt-end':
    case 'continuation':
    case 'user-rc':
      return { kind: mark.kind }
    case 'command-start': {
      const [line, previousExitCode] = mark.payload.split(';')
      return { kind: 'command-start', line: parseCount(line), previousExitCode: parseCount(previousExitCode) }
    }
    case 'command-end':
    case 'exiting':
      return { kind: mark.kind, exitCode: parseCount(mark.payload) }
    case 'cwd': {
      const cwd = unquoteShellWord(mark.payload)
      return cwd?.startsWith('/') ? { kind: 'cwd', cwd } : undefined
    }
    default:
      return undefined
  }
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
