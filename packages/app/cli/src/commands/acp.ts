/** `agent-terminals acp`: an agent for editors that speak ACP, on standard input and output. */
import type { AcpService } from '@agent-terminals/acp'
import type { Command } from 'commander'
import type { Composition } from '../boot/boot.js'
import { requireServices } from '../boot/require-services.js'
import { patchScript } from '../boot/script-patch.js'
import { withComposition } from '../boot/with-composition.js'
import type { CommandContext } from '../command-context.js'
import { defaultConfigFile } from '../default-config.js'
import { EXIT_CODES } from '../exit-codes.js'
import { tellIfTyped } from '../tell.js'

export interface AcpOptions {
  readonly configFile?: string | undefined
  readonly scriptFile?: string | undefined
  readonly sessionsDirectory?: string | undefined
  readonly isVerbose: boolean
}

/** The bridge of the composition, or one of our own where it has none. */
async function mountBridge({ ctx }: Composition, sessionsDirectory: string | undefined): Promise<AcpService> {
  if (ctx.get('acp') === undefined) {
    requireServices(ctx, ['agents', 'tools', 'agentLoop', 'terminals'])
    const acp = await import('@agent-terminals/acp')
    await ctx.plugin(acp, acp.Config.parse(sessionsDirectory === undefined ? {} : { sessionsDirectory }))
  }
  return ctx.acp
}

/** @returns the exit code once the client has gone, or a signal has come, and nothing of it is left. */
export async function runAcp(options: AcpOptions): Promise<number> {
  const { claimStdio } = await import('@agent-terminals/acp')
  // First of all: whatever plugins print while they start must not reach the client.
  const stdio = claimStdio()
  try {
    return await withComposition({
      boot: {
        configFile: options.configFile ?? defaultConfigFile,
        isVerbose: options.isVerbose,
        patches: patchScript(options.scriptFile),
      },
      async run(composition, signal) {
        const bridge = await mountBridge(composition, options.sessionsDirectory)
        tellIfTyped('an editor that speaks ACP starts this command', 'docs/acp.md')
        const serving = bridge.serve(stdio.open())
        const close = () => void serving.close()
        if (signal.aborted) close()
        signal.addEventListener('abort', close, { once: true })
        await serving.ended
        return EXIT_CODES.OK
      },
    })
  } finally {
    stdio.release()
  }
}

export function addAcpCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('acp')
    .description('serve an ACP client on standard input and output')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .option('--script <file>', 'replay the tool calls of a script instead of asking a model')
    .option('--sessions <directory>', 'keep sessions there, so that a client can load them again')
    .addHelpText(
      'after',
      '\nEditors start it; docs/acp.md has their settings.\n\nExample:\n  agent-terminals acp --sessions ~/.local/state/agent-terminals',
    )
    .action(async (options: { config?: string; script?: string; sessions?: string }) => {
      exit(
        await runAcp({
          configFile: options.config,
          scriptFile: options.script,
          sessionsDirectory: options.sessions,
          isVerbose: isVerbose(),
        }),
      )
    })
}
