/** How terminals are confined by this composition, and by what. */
import type { RunnerProbe, SandboxPolicy } from '@agent-terminals/sandbox/contract'
import type { Context } from '@deepseek-ai/cordis'
import type { Check } from './report.js'

export async function checkSandbox(ctx: Context): Promise<readonly Check[]> {
  const policy = ctx.get('sandboxPolicy')?.resolve({})
  if (policy === undefined) return []
  const probes = (await ctx.get('sandbox')?.probes()) ?? []
  return [checkPolicy(policy), ...checkRunners(policy, probes)]
}

export function checkPolicy({ mode, workspaceRoot, network }: SandboxPolicy): Check {
  const name = 'sandbox mode'
  if (mode !== 'danger-full-access') {
    const where = mode === 'workspace-write' ? ` in ${workspaceRoot}` : ''
    return { name, status: 'ok', detail: `${mode}${where}, network ${network}` }
  }
  return {
    name,
    status: 'warn',
    detail: 'danger-full-access: terminals are not confined',
    cost: 'Programs in terminals can read, change and end whatever you can.',
    advice: 'It was chosen in the composition; set mode: workspace-write there if it was not meant.',
  }
}

/** Every permitted runner, as it was found by running it. The first usable one that can do what the policy asks is used. */
export function checkRunners(policy: SandboxPolicy, probes: readonly RunnerProbe[]): readonly Check[] {
  const isEnough = (probe: RunnerProbe) => probe.usable && (policy.network === 'allow' || probe.network)
  const used = probes.findIndex(isEnough)
  const isNeeded = policy.mode !== 'danger-full-access'
  return probes.map((probe, at): Check => {
    const name = `runner ${probe.runner}`
    if (isEnough(probe)) {
      if (at !== used || !isNeeded) return { name, status: 'ok', detail: `works: ${probe.detail}` }
      return { name, status: 'ok', detail: `used: ${probe.detail}`, notes: probe.limits }
    }
    const detail = probe.usable ? 'works, but cannot deny the network' : `not usable: ${probe.detail}`
    const advice = probe.advice === undefined ? {} : { advice: probe.advice }
    if (!isNeeded || (used !== -1 && used < at)) return { name, status: 'ok', detail }
    if (used === -1) {
      return { name, status: 'fail', detail, cost: `No terminal can be opened in mode ${policy.mode}.`, ...advice }
    }
    // A runner of another platform is no loss here.
    if (probe.advice === undefined && !probe.usable) return { name, status: 'ok', detail }
    return {
      name,
      status: 'warn',
      detail,
      cost: `${probes[used]?.runner} confines instead, within its limits.`,
      ...advice,
    }
  })
}
