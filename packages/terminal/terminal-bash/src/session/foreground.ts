import type { ForegroundInspection, SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import { type Attributes, describeLine, type LineShape, type Look, type TerminalOutput } from '../core/index.js'
import type { Clock } from './clock.js'
import { findLeader, findProgram, toLook } from './look.js'
import { LOOK_PATIENCE_MS, waitWithPatience } from './patience.js'

const SHELLS = new Set(['sh', 'dash', 'bash', 'zsh', 'fish', 'ksh', 'mksh', 'ash', 'busybox', 'tcsh', 'csh'])

/** What holds the terminal, asked when a decision needs it and remembered for whoever only shows it. */
export class Foreground {
  /** Command name of the program seen last in front of the shell. */
  program: string | undefined
  private shell: { readonly pgid: number; readonly command: string | undefined } | undefined
  private isShellExpected = false
  private knownLine: string | undefined

  constructor(
    private readonly handle: SubprocessTerminal,
    private readonly output: TerminalOutput,
    private readonly isEnabled: boolean,
    private readonly clock: Clock,
  ) {}

  /** Whether a look can prove that a program waits for input. */
  get canProveWaits(): boolean {
    return this.isEnabled && this.handle.sources.ttyWaits
  }

  /** Whether each look starts a program. */
  get isLookDear(): boolean {
    return this.isEnabled && this.handle.sources.inspector === 'darwin'
  }

  /** Sources of evidence in use, by name. */
  get sources(): readonly string[] {
    const { sources } = this.handle
    const names = ['prompt-marks']
    if (this.isEnabled && sources.foreground) names.push('foreground-group')
    if (this.canProveWaits) names.push('tty-waits')
    if (sources.attributes) names.push('attributes')
    return names
  }

  async look(): Promise<Look | undefined> {
    if (!this.isEnabled || !this.handle.sources.foreground) return undefined
    const inspection = await waitWithPatience(this.clock, this.handle.inspect(), LOOK_PATIENCE_MS)
    if (!inspection) return undefined
    if (this.isShellExpected) {
      this.isShellExpected = false
      this.shell = { pgid: inspection.pgid, command: findLeader(inspection)?.command }
    }
    const look = toLook(inspection)
    const isShell = look.isShell || look.pgid === this.shell?.pgid
    this.program = isShell ? undefined : findProgram(inspection)
    const replacedBy = isShell ? this.findReplacement(inspection) : undefined
    const isShellCopy = !isShell && this.shell !== undefined && findLeader(inspection)?.command === this.shell.command
    return { ...look, isShell, ...(replacedBy ? { replacedBy } : {}), ...(isShellCopy ? { isShellCopy } : {}) }
  }

  /**
   * The shell's prompt mark has come: whatever group holds the terminal at the next look is the shell's. A sandbox wrapper stands
   * between the process we started and the shell, which then has a group of its own.
   */
  expectShell(): void {
    this.isShellExpected = true
  }

  /** An interactive shell leads its group. Unknown before its first prompt. */
  get shellPid(): number | undefined {
    return this.shell?.pgid
  }

  isShellGroup(pgid: number | undefined): boolean {
    return pgid !== undefined && pgid === this.shell?.pgid
  }

  private findReplacement(inspection: ForegroundInspection): Look['replacedBy'] {
    const command = findLeader(inspection)?.command
    if (command === undefined || this.shell?.command === undefined || command === this.shell.command) return undefined
    return SHELLS.has(command) ? 'shell' : 'program'
  }

  async attributes(): Promise<Attributes | undefined> {
    if (!this.handle.sources.attributes) return undefined
    return waitWithPatience(this.clock, this.handle.attributes(), LOOK_PATIENCE_MS)
  }

  line(): LineShape {
    return describeLine(this.output.currentLine(), this.knownLine)
  }

  /** A program was found waiting: remember the prompt it waits at. */
  rememberLine(): void {
    this.knownLine = this.output.currentLine()
  }
}
