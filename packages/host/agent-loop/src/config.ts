import { z } from 'zod'
import { Script } from './script/format.js'

const OpenAiCompatible = z.strictObject({
  kind: z.literal('openai-compatible'),
  /** Base of the endpoint, up to and including `/v1`. */
  baseURL: z.url({ protocol: /^https?$/ }),
  /** Name of the environment variable that holds the key. Absent for servers that want none. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, not the key itself')
    .optional(),
  /** Model name as the endpoint knows it. */
  model: z.string().min(1),
  /** Extra request headers. */
  headers: z.record(z.string(), z.string()).default({}),
})

const Scripted = z
  .strictObject({
    kind: z.literal('script'),
    /** Path of a script file, absolute or relative to the composition. */
    path: z.string().min(1).optional(),
    /** The script itself. */
    script: Script.optional(),
  })
  .refine(({ path, script }) => (path === undefined) !== (script === undefined), {
    message: 'give either `path` or `script`',
  })

export const Config = z.strictObject({
  /** Where answers come from: an endpoint that speaks the OpenAI protocol, or a script. The README shows both. */
  model: z.discriminatedUnion('kind', [OpenAiCompatible, Scripted]),
  /** Instructions put before the guidance that tools contribute. */
  system: z.string().default('You are a careful engineer. Use the tools you have; say what you found.'),
  /** Most model steps of one turn. A step is one answer with any number of tool calls. */
  maxSteps: z.int().min(1).max(1000).default(50),
  /** Repeated requests after a failure that may pass (429, 5xx, connection lost before the first byte). */
  maxRetries: z.int().min(0).max(10).default(2),
})
export type Config = z.output<typeof Config>
export type ModelConfig = Config['model']
