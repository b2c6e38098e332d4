/** A command's composition from its boot to the proof that nothing of it is left, at whatever moment it is interrupted. */
import type {} from '@agent-terminals/subprocess/contract'
import { EXIT_CODES } from '../exit-codes.js'
import { watchInterrupt } from '../interrupt.js'
import { withProgress } from '../progress.js'
import { tell } from '../tell.js'
import { type BootOptions, bootComposition, type Composition } from './boot.js'
import { findOwnProcesses, listProcesses, type ProcessRow } from './processes.js'

/** How a command ended, once its composition is closed. */
export interface Ending {
  readonly code: number
  readonly isInterrupted: boolean
  /** Look for processes that the composition started and that still run. */
  findOwnProcesses(): Promise<readonly ProcessRow[]>
}

export interface CompositionRun {
  readonly boot: Omit<BootOptions, 'signal'>
  /**
   * Does the command's work on the running composition.
   * @param signal - aborts when a person or the system asks for the end.
   * @returns the exit code.
   */
  readonly run: (composition: Composition, signal: AbortSignal) => Promise<number>
  /** What to say when everything is closed. @returns the exit code. Default: what was interrupted says that nothing is left. */
  readonly conclude?: (ending: Ending) => number | Promise<number>
}

export function renderStillRunning(stillRunning: readonly ProcessRow[]): string {
  return `left running: ${stillRunning.map(({ pid, command }) => `${pid} ${command.slice(0, 60)}`).join('; ')}`
}

async function concludeInterrupted({ code, isInterrupted, findOwnProcesses }: Ending): Promise<number> {
  if (!isInterrupted) return code
  const stillRunning = await findOwnProcesses()
  if (stillRunning.length === 0) {
    tell('closed; nothing is left running.')
    return EXIT_CODES.INTERRUPTED
  }
  tell(renderStillRunning(stillRunning))
  return EXIT_CODES.FAILED
}

/** @throws what the boot or the command threw, after everything has been closed. */
export async function withComposition({ boot, run, conclude = concludeInterrupted }: CompositionRun): Promise<number> {
  const { signal, release } = watchInterrupt()
  let code: number = EXIT_CODES.OK
  let hostTag: string | undefined
  try {
    try {
      const composition = await withProgress('Starting', bootComposition({ ...boot, signal }))
      hostTag = composition.ctx.get('subprocess')?.hostTag
      try {
        code = await run(composition, signal)
      } finally {
        await withProgress('Closing', composition.dispose())
      }
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
    }
    return await conclude({
      code,
      isInterrupted: signal.aborted,
      findOwnProcesses: async () => findOwnProcesses(await listProcesses(), { rootPid: process.pid, hostTag }),
    })
  } finally {
    release()
  }
}

/** Wait until the command is asked to end. */
export async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
