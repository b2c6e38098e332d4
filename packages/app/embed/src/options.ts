/** What can be set: each group is the configuration of the package of that name, defaults and bounds included. */
import { Config as JobsConfig } from '@agent-terminals/jobs'
import { Config as SandboxPolicyConfig } from '@agent-terminals/sandbox/policy'
import { Config as SandboxConfig } from '@agent-terminals/sandbox/runner'
import { Config as SubprocessConfig } from '@agent-terminals/subprocess'
import { Config as TerminalConfig } from '@agent-terminals/terminal'
import { Config as TerminalBashConfig } from '@agent-terminals/terminal-bash'
import { Config as ToolTerminalConfig } from '@agent-terminals/tool-terminal'
import { Config as ToolsConfig } from '@agent-terminals/tools'
import { z } from 'zod'
import { EmbedError } from './errors.js'

/** What a part had to say, formatted. Errors mean that a release or an observer failed. */
export interface LogEntry {
  /** `error`, `warn`, `info`, `success` or `debug`. */
  readonly type: string
  readonly source: string
  readonly text: string
}

export const Options = z.strictObject({
  /** Directory in which terminals start. The workspace root unless given. */
  cwd: z.string().min(1).optional(),
  /** Told what the parts log. Without it nothing is printed. */
  onLog: z.custom<(entry: LogEntry) => void>((value) => typeof value === 'function', 'expected a function').optional(),
  /** Sandbox mode of the terminals, workspace root, network. */
  sandboxPolicy: SandboxPolicyConfig,
  /** Runners that may confine. */
  sandbox: SandboxConfig,
  /** Environment of the programs. */
  subprocess: SubprocessConfig,
  /** Limits, retention and size of terminals. */
  terminal: TerminalConfig,
  /** The shell, its timings and bounds. */
  terminalBash: TerminalBashConfig,
  /** The six model-facing tools. */
  toolTerminal: ToolTerminalConfig,
  /** The pipeline that calls of tools go through. */
  tools: ToolsConfig,
  /** Background sends of tools. */
  jobs: JobsConfig,
})
export type TerminalsOptions = z.input<typeof Options>
export type ResolvedOptions = z.output<typeof Options>

/** @throws EmbedError `OPTIONS_INVALID` naming every field at fault. */
export function resolveOptions(options: TerminalsOptions): ResolvedOptions {
  const { success, data, error } = Options.safeParse(options)
  if (success) return data
  const problems = error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'options' : path.join('.')}: ${message}`,
  )
  throw new EmbedError('OPTIONS_INVALID', `The terminals cannot start:\n${problems.join('\n')}`, { cause: error })
}
