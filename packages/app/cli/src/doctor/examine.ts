/** The whole examination, in order: the host, the composition with a real terminal, what bounds it, and what earlier runs left. */
import type { Context } from '@deepseek-ai/cordis'
import { requireServices } from '../boot/require-services.js'
import { withComposition } from '../boot/with-composition.js'
import { EXIT_CODES } from '../exit-codes.js'
import { withProgress } from '../progress.js'
import { checkNode, checkPty, checkPtyLibrary } from './host.js'
import { examineLeftovers } from './leftovers.js'
import { checkLimit } from './limits.js'
import { examinePrograms } from './programs.js'
import { readLimits } from './read-limits.js'
import type { Check, ReportedLeftover } from './report.js'
import { checkSandbox } from './sandbox.js'
import { checkIntegration, checkShell, INTEGRATION_TEST, withTerminal } from './terminal.js'

export interface Examination {
  readonly configFile: string
  readonly isVerbose: boolean
  readonly isEndingLeftovers: boolean
  /** Called with each finding as soon as it is known. */
  readonly report: (check: Check) => void
  /** Aborting ends the examination early, and what it has started. */
  readonly signal: AbortSignal
}

/** @returns what earlier runs left; `undefined` when the examination was cut short. */
export async function examine(examination: Examination): Promise<readonly ReportedLeftover[] | undefined> {
  const { report, signal, isEndingLeftovers } = examination
  report(checkNode(process.versions.node))
  report(checkPtyLibrary())
  report(await withProgress('Opening a PTY', checkPty()))
  if ((await examineComposition(examination)) === 'interrupted' || signal.aborted) return undefined
  for (const limit of await readLimits()) report(checkLimit(limit))
  const { check, leftovers } = await withProgress('Looking for leftovers', examineLeftovers(isEndingLeftovers))
  report(check)
  return leftovers
}

async function examineComposition(examination: Examination): Promise<'done' | 'interrupted'> {
  const { configFile, isVerbose, report, signal } = examination
  try {
    const code = await withComposition({
      boot: { configFile, isVerbose },
      async run({ ctx }, interrupted) {
        report({ name: 'composition', status: 'ok', detail: configFile })
        await examineRunning(ctx, report, AbortSignal.any([signal, interrupted]))
        return EXIT_CODES.OK
      },
    })
    return code === EXIT_CODES.OK ? 'done' : 'interrupted'
  } catch (error) {
    report({
      name: 'composition',
      status: 'fail',
      detail: describeError(error),
      cost: 'No command starts with this composition.',
      advice: 'Mend the fields or plugins named here.',
    })
    return 'done'
  }
}

/** The reason of an abort is no finding. */
async function examineRunning(ctx: Context, report: (check: Check) => void, signal: AbortSignal): Promise<void> {
  try {
    for (const check of await withProgress('Trying the sandbox', checkSandbox(ctx))) report(check)
    signal.throwIfAborted()
    requireServices(ctx, ['agents', 'terminals'])
    await examineTerminal(ctx, report, signal)
  } catch (error) {
    if (signal.aborted) return
    report({ name: 'terminal', status: 'fail', detail: describeError(error), cost: 'No terminal can be opened.' })
  }
}

function examineTerminal(ctx: Context, report: (check: Check) => void, signal: AbortSignal): Promise<void> {
  return withTerminal(ctx, signal, async (terminal) => {
    report({ name: 'terminal', status: 'ok', detail: `opened with pid ${terminal.opened.pid}` })
    report(checkShell(await terminal.send('echo "$BASH_VERSION"')))
    report(checkIntegration(await terminal.send(INTEGRATION_TEST.text)))
    await examinePrograms(terminal, report)
  })
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
