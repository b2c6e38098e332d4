import { type Context, Logger, type Message } from '@deepseek-ai/cordis'

/**
 * Print what plugins log to standard error, when asked. Standard output belongs to commands: some speak a protocol on it.
 * Start-up errors are reported by the boot itself, so that they are shown once and without a stack.
 */
export function collectLogs(ctx: Context, isVerbose: boolean): void {
  if (!isVerbose) return
  const exporter = {
    colors: false as const,
    levels: { default: 3 },
    export(message: Message) {
      process.stderr.write(`[${message.type}] ${message.name}: ${Logger.format(exporter, message)}\n`)
    },
  }
  ctx.logger.exporter(exporter)
}
