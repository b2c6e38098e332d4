/** The sandbox runners that work here, each as a way to wrap a command line; `plain` wraps nothing. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as sandboxRunner from '@agent-terminals/sandbox/runner'
import { Context } from '@deepseek-ai/cordis'

const NAMES = process.platform === 'linux' ? ['bwrap', 'landlock'] : ['seatbelt']
const plain = { name: 'plain', confine: async (argv) => ({ argv, env: {}, release: async () => {} }) }

/** @param lent - a workspace that somebody else removes. */
async function startRunner(name, lent) {
  const ctx = new Context()
  await ctx.plugin(sandboxRunner, { runners: [name] })
  const workspaceRoot = lent ?? realpathSync(mkdtempSync(join(homedir(), '.bench-teardown-')))
  const policy = { mode: 'workspace-write', workspaceRoot, network: 'allow' }
  const close = async () => {
    await ctx.fiber.dispose()
    if (lent === undefined) rmSync(workspaceRoot, { recursive: true, force: true })
  }
  const probes = await ctx.sandbox.probes()
  if (!probes.some((probe) => probe.runner === name && probe.usable)) {
    await close()
    return undefined
  }
  return { name, workspaceRoot, confine: (argv) => ctx.sandbox.confine(argv, policy), close }
}

/**
 * @param workspace - for a process that is going to be killed, and so cannot remove one of its own.
 * @returns the ways, and a release.
 */
export async function startRunners(names = ['plain', ...NAMES], workspace) {
  const started = []
  for (const name of names) {
    const runner = name === 'plain' ? plain : await startRunner(name, workspace)
    if (runner !== undefined) started.push(runner)
    else console.log(`  left out, does not work here: ${name}`)
  }
  return {
    runners: started,
    async close() {
      for (const runner of started) await runner.close?.()
    },
  }
}
