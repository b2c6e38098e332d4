import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { SANDBOX_MODES } from '../contract.js'

/** Resolve a directory and every symlink in it, so that later comparisons cannot be led astray. */
function resolveDirectory(path: string, context: z.RefinementCtx): string {
  const absolute = resolve(path)
  const issue = (message: string) => {
    context.addIssue({ code: 'custom', message: `${message}: ${absolute}` })
    return z.NEVER
  }
  if (!statSync(absolute, { throwIfNoEntry: false })) return issue('the workspace root does not exist')
  const real = realpathSync(absolute)
  return statSync(real).isDirectory() ? real : issue('the workspace root is not a directory')
}

export const Config = z
  .strictObject({
    /** Mode of sessions that have not chosen another. */
    mode: z.enum(SANDBOX_MODES).default('read-only'),
    /** What `workspace-write` may write. Relative paths start at the working directory of the process. */
    workspaceRoot: z.string().min(1).default('.').transform(resolveDirectory),
    /** Whether confined processes reach the network. Only some runners can deny it; those that cannot refuse. */
    network: z.enum(['allow', 'deny']).default('allow'),
  })
  .prefault({})
export type Config = z.output<typeof Config>
