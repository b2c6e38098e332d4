/** Whether a new terminal may be opened, and what exactly is to be opened. Everything is decided before anything starts. */
import { resolve } from 'node:path'
import type { BackendRegistry } from './backends.js'
import { type Config, MAX_COLUMNS, MAX_ROWS } from './config.js'
import { findNameProblem, isSameName } from './core/index.js'
import { TerminalError } from './errors.js'
import { mintSessionId } from './id.js'
import type { Session } from './session.js'
import type { SessionSpec } from './session-spec.js'
import type { SpawnRequest, TerminalOwner, TerminalSize } from './types.js'

/**
 * Turn a request into a full spec. The directory is only made absolute here: whether it exists is the backend's to say,
 * because only the backend knows in which world its processes run (`CWD_MISSING`, `CWD_NOT_A_DIRECTORY`).
 * @throws TerminalError `UNKNOWN_TYPE`, `NAME_INVALID`, `NAME_TAKEN`, `CWD_INVALID`, `LIMIT_REACHED` or `SIZE_INVALID`.
 */
export function resolveSpec(
  owner: TerminalOwner,
  request: SpawnRequest,
  held: ReadonlySet<Session>,
  { backends, config, now }: { readonly backends: BackendRegistry; readonly config: Config; readonly now: number },
): SessionSpec {
  const backend = backends.get(request.type)
  checkName(request.name, held, config.maxNameLength)
  checkCwd(request.cwd)
  checkLimits(held, config)
  const size = request.size ?? { columns: config.columns, rows: config.rows }
  checkSize(size)
  const cwd = resolve(owner.cwd, request.cwd ?? '.')
  return { sessionId: mintSessionId(), name: request.name, backend, owner, cwd, size, openedAt: now }
}

function checkName(name: string | undefined, held: ReadonlySet<Session>, maxLength: number): void {
  if (name === undefined) return
  const problem = findNameProblem(name, maxLength)
  if (problem) {
    throw new TerminalError(
      'NAME_INVALID',
      `The terminal name is not usable: ${problem}. Choose another or leave it out.`,
    )
  }
  const holder = [...held].find((session) => isSameName(session.spec.name, name))
  if (!holder) return
  const which = holder.isPublished
    ? `Terminal ${holder.id} has`
    : 'A terminal that is just being opened or rolled back has'
  throw new TerminalError('NAME_TAKEN', `${which} the name "${name}". Use that one, close it, or choose another name.`)
}

/** An empty text is no directory: a caller whose variable is empty must not land in another one unawares. */
function checkCwd(cwd: string | undefined): void {
  if (cwd === undefined) return
  const problem = cwd === '' ? 'is empty' : cwd.includes('\0') ? 'has a NUL character' : undefined
  if (problem === undefined) return
  throw new TerminalError('CWD_INVALID', `cwd ${problem}. Name a directory, or leave cwd out to start in your own.`)
}

function checkLimits(held: ReadonlySet<Session>, config: Config): void {
  const pending = [...held].filter((session) => session.isOpening).length
  if (pending >= config.maxPendingSpawnsPerOwner) {
    const fact = `${pending} terminals are being opened, as many as allowed at a time.`
    throw new TerminalError('LIMIT_REACHED', `${fact} Wait until one of them is open.`)
  }
  const running = [...held].filter((session) => !session.isEnded).length
  if (running >= config.maxSessionsPerOwner) {
    const fact = `You have ${running} terminals, as many as allowed.`
    throw new TerminalError('LIMIT_REACHED', `${fact} Close one that is no longer needed.`)
  }
}

/** @throws TerminalError `SIZE_INVALID`. */
export function checkSize({ columns, rows }: TerminalSize): void {
  const isWithin = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max
  if (isWithin(columns, MAX_COLUMNS) && isWithin(rows, MAX_ROWS)) return
  throw new TerminalError(
    'SIZE_INVALID',
    `A terminal of ${columns} columns and ${rows} rows is not possible: use whole numbers from 1 to ${MAX_COLUMNS} and from 1 to ${MAX_ROWS}.`,
  )
}
