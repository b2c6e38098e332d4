/** Plugin: `ctx.sandbox`, which confines a command line by the best runner that works here. */
import type { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'
import { createBwrapRunner } from './bwrap.js'
import { createLandlockRunner } from './landlock.js'
import { createPrivateDirectories } from './private-directory.js'
import { probeRunner } from './probe.js'
import { createSeatbeltRunner } from './seatbelt.js'
import { createSandboxService } from './service.js'

export const Config = z
  .strictObject({
    /** Runners that may be used, best first. A deployment that must not fall back names one. */
    runners: z
      .array(z.enum(['bwrap', 'landlock', 'seatbelt']))
      .min(1)
      .default(['bwrap', 'landlock', 'seatbelt']),
  })
  .prefault({})
export type Config = z.output<typeof Config>

export const name = 'sandbox'
export const inject = []

const makers = { bwrap: createBwrapRunner, landlock: createLandlockRunner, seatbelt: createSeatbeltRunner }

export function apply(ctx: Context, config: Config): void {
  const runners = config.runners.map((runner) => makers[runner]())
  const directories = createPrivateDirectories()
  // Terminals release their own; this is for a process that ends before they could.
  ctx.effect(() => {
    process.on('exit', directories.removeAllNow)
    return () => void process.off('exit', directories.removeAllNow)
  }, 'sandbox private directories')
  ctx.provide('sandbox', createSandboxService({ runners, probe: probeRunner, directories }))
}
