/** What the composition really does here: a terminal is opened and programs are recognised in it. */
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/sandbox/contract'
import type { SendOutcome, TerminalSessionId } from '@agent-terminals/terminal'
import type { Context } from '@deepseek-ai/cordis'
import type { Check } from './check.js'

const LIVE_TIMEOUT_MS = 10_000

export async function checkSandbox(ctx: Context): Promise<readonly Check[]> {
  const { mode, network, workspaceRoot } = ctx.sandboxPolicy.resolve({})
  const policy: Check = {
    name: 'sandbox mode',
    status: mode === 'danger-full-access' ? 'warn' : 'ok',
    detail: mode === 'workspace-write' ? `${mode} in ${workspaceRoot}, network ${network}` : mode,
    ...(mode === 'danger-full-access'
      ? { advice: 'Terminals are not confined. This was chosen in the composition.' }
      : {}),
  }
  const sandbox = ctx.get('sandbox')
  const probes = sandbox ? await sandbox.probes() : []
  const first = probes.find(({ usable, network: canDeny }) => usable && (network === 'allow' || canDeny))
  const needsRunner = mode !== 'danger-full-access'
  return [
    policy,
    ...probes.map(
      ({ runner, usable, detail, limits }): Check => ({
        name: `runner ${runner}`,
        status: usable || first !== undefined || !needsRunner ? 'ok' : 'fail',
        detail: `${usable ? (runner === first?.runner ? 'used: ' : 'works: ') : 'not usable: '}${detail}`,
        ...(usable ? { notes: limits } : {}),
      }),
    ),
  ]
}

async function send(ctx: Context, agent: Agent, id: TerminalSessionId, text: string): Promise<SendOutcome> {
  return ctx.terminals.send(agent, id, { text, submit: true, timeoutMs: LIVE_TIMEOUT_MS }).outcome
}

function describeOutcome(outcome: SendOutcome): string {
  if (outcome.kind !== 'settled') return outcome.kind
  const { waitReason, state } = outcome.result
  return `${waitReason}, ${state}`
}

/** Programs whose recognition rests on different evidence, and what each must be recognised as. */
const PROGRAMS = [
  { text: 'cat', state: 'line', meaning: 'a program that reads lines', leave: '\u0004' },
  { text: 'read -rs secret', state: 'hidden', meaning: 'a secret being asked for', leave: '\r' },
] as const

async function checkPrograms(ctx: Context, agent: Agent, id: TerminalSessionId): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const { text, state, meaning, leave } of PROGRAMS) {
    const outcome = await send(ctx, agent, id, text)
    const isRight = outcome.kind === 'settled' && outcome.result.state === state
    checks.push({
      name: `sees ${text.split(' ')[0]}`,
      status: isRight ? 'ok' : 'warn',
      detail: isRight ? `${meaning} is recognised as ${state}` : `${meaning} looks like ${describeOutcome(outcome)}`,
      ...(isRight ? {} : { advice: 'Without kernel evidence programs are judged by silence: slower, and less sure.' }),
    })
    await ctx.terminals.send(agent, id, { text: leave, submit: false, timeoutMs: LIVE_TIMEOUT_MS }).outcome
  }
  return checks
}

/** Open a terminal as an agent would, look at it, and close it. */
export async function checkTerminal(ctx: Context): Promise<readonly Check[]> {
  const agent = await ctx.agents.create({ cwd: process.cwd() })
  try {
    const opened = await ctx.terminals.spawn(agent, { type: 'shell' })
    const id = opened.sessionId
    const version = await send(ctx, agent, id, 'echo "$BASH_VERSION"')
    const isPrompt = version.kind === 'settled' && version.result.state === 'prompt'
    const shell: Check = {
      name: 'shell',
      status: isPrompt ? 'ok' : 'fail',
      detail: isPrompt
        ? `bash ${version.result.viewport.text.trim()}`
        : `no prompt after a command: ${describeOutcome(version)}`,
    }
    const marks: Check = {
      name: 'prompt marks',
      status: opened.promptDetection === 'active' ? 'ok' : 'warn',
      detail: opened.promptDetection,
    }
    const evidence: Check = {
      name: 'evidence',
      status: opened.evidence.length > 0 ? 'ok' : 'warn',
      detail: opened.evidence.join(', ') || 'none beside the prompt marks',
    }
    return [
      { name: 'terminal', status: 'ok', detail: `opened with pid ${opened.pid}` },
      shell,
      marks,
      evidence,
      ...(await checkPrograms(ctx, agent, id)),
    ]
  } catch (error) {
    return [{ name: 'terminal', status: 'fail', detail: error instanceof Error ? error.message : String(error) }]
  } finally {
    await agent.dispose()
  }
}
