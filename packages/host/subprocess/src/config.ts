import { z } from 'zod'
import { matchesName, OWN_PREFIX } from './core/index.js'

const variableRule = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'must be the name of an environment variable, optionally ending in *')

const environment = z
  .strictObject({
    /** Variables passed on although their names look like credentials. `PREFIX*` covers all names with the prefix. */
    allow: z
      .array(
        variableRule.refine((rule) => !rule.startsWith(OWN_PREFIX), {
          message: `names beginning with ${OWN_PREFIX} are never passed on`,
        }),
      )
      .default([]),
    /** Variables held back in addition to the credential-shaped ones. */
    deny: z.array(variableRule).default([]),
  })
  .superRefine(({ allow, deny }, context) => {
    for (const [index, rule] of allow.entries()) {
      const winner = deny.find((each) => each === rule || matchesName(each, rule))
      if (winner === undefined) continue
      context.addIssue({
        code: 'custom',
        path: ['allow', index],
        message: `${rule} has no effect: deny holds ${winner}`,
      })
    }
  })

export const Config = z
  .strictObject({
    environment: environment.prefault({}),
    /** Output kept for a terminal nobody listens to, in bytes; beyond it the kernel holds the program back. */
    maxHeldOutputBytes: z.int().min(65_536).max(67_108_864).default(1_048_576),
    /** Time between terminate and kill when the service itself ends its terminals, in milliseconds. */
    disposeGraceMs: z.int().min(0).max(60_000).default(2_000),
  })
  .prefault({})
export type Config = z.output<typeof Config>
