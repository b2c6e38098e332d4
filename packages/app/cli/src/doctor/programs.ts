/** Programs that wait for a person, run to see whether they are recognised; and what the kernel shows of them when they are not. */

import { type EvidenceReading, readEvidence } from '@agent-terminals/subprocess/diagnostics'
import type { SendOutcome } from '@agent-terminals/terminal'
import type { Check } from './report.js'
import { describeOutcome, type LiveTerminal } from './terminal.js'

interface Program {
  readonly name: string
  readonly text: string
  /** As what it must be recognised. */
  readonly state: 'line' | 'hidden'
  readonly meaning: string
  /** Input that ends it. */
  readonly leave: string
}

const CAT: Program = {
  name: 'sees cat',
  text: 'cat',
  state: 'line',
  meaning: 'a program that reads lines',
  leave: '\u0004',
}
const READ: Program = {
  name: 'sees read',
  text: 'read -rs secret',
  state: 'hidden',
  meaning: 'the shell asking for a secret',
  leave: '\r',
}
const GETPASS: Program = {
  name: 'sees getpass',
  text: `python3 -c 'import getpass; getpass.getpass()'`,
  state: 'hidden',
  meaning: 'a program asking for a secret',
  leave: '\r',
}

/** Sources that the terminal itself says it uses. */
export function checkSources(sources: readonly string[], readings: readonly EvidenceReading[]): Check {
  const name = 'evidence'
  const canProve = sources.includes('tty-waits')
  const detail = sources.join(', ') || 'none'
  if (canProve && readings.every(({ ok }) => ok)) return { name, status: 'ok', detail }
  return {
    name,
    status: 'warn',
    detail: canProve ? detail : `${detail}; waits for input are not proven`,
    ...explainLoss(readings),
  }
}

/** What judging by silence costs, what to do, and which sources do not answer. */
function explainLoss(readings: readonly EvidenceReading[]): Pick<Check, 'cost' | 'advice' | 'notes'> {
  const broken = readings.filter(({ ok }) => !ok)
  return {
    cost: 'Programs are judged by silence: sends return later, and less sure.',
    advice: adviseEvidence(readings.length > 0, broken.length > 0),
    notes: broken.map(({ source, detail }) => `${source}: ${detail}`),
  }
}

function adviseEvidence(isReadable: boolean, isBroken: boolean): string {
  if (isBroken) {
    return 'Allow reading it of own processes (containers: seccomp, hidepid, kernel.yama.ptrace_scope below 2).'
  }
  return isReadable
    ? 'Every source can be read here: see whether the composition sets inspector: off, or try again on an idle machine.'
    : 'None is to be had: only Linux on x86-64 and arm64 shows what a program waits for.'
}

export function checkProgram(program: Program, outcome: SendOutcome, readings: readonly EvidenceReading[]): Check {
  const { name, state, meaning } = program
  if (outcome.kind === 'settled') {
    if (outcome.result.state === state) return { name, status: 'ok', detail: `${meaning} is recognised as ${state}` }
    if (outcome.result.exitCode === 127) {
      return { name, status: 'ok', detail: `not tried: ${program.text.split(' ')[0]} is not installed` }
    }
  }
  const detail = `${meaning} looks like ${describeOutcome(outcome)}`
  return { name, status: 'warn', detail, ...explainLoss(readings) }
}

/** Run each program, look, and leave it. */
export async function examinePrograms(
  terminal: LiveTerminal,
  report: (check: Check) => void,
  read: (rootPid: number) => Promise<readonly EvidenceReading[]> = process.platform === 'linux'
    ? readEvidence
    : nothing,
): Promise<void> {
  for (const program of [CAT, READ, GETPASS]) {
    const outcome = await terminal.send(program.text)
    const readings = await read(terminal.opened.pid)
    if (program === CAT) report(checkSources(terminal.opened.evidence, readings))
    report(checkProgram(program, outcome, readings))
    const isBack = outcome.kind === 'settled' && outcome.result.state === 'prompt'
    if (!isBack) await terminal.send(program.leave, { submit: false })
  }
}

async function nothing(): Promise<readonly EvidenceReading[]> {
  return []
}
