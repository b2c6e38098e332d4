/** The script format: tool calls to replay instead of a model, one entry per prompt. Documented in docs/scripts.md. */
import { z } from 'zod'

/** What a result must be for the replay to go on. */
export const Expectation = z.strictObject({
  /** Text that must occur in the result, all of it. */
  text: z.union([z.string(), z.array(z.string())]).optional(),
  /** Text that must not occur. */
  absent: z.union([z.string(), z.array(z.string())]).optional(),
  /** Fields of the structured result that must be equal, deeply; others are free. */
  structured: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
})
export type Expectation = z.output<typeof Expectation>

export const ScriptCall = z.strictObject({
  tool: z.string().min(1),
  /**
   * Arguments. A string `${name.field}` stands for a field of the structured result of an earlier call of this script
   * that was given that name by `as`.
   */
  args: z.record(z.string(), z.unknown()).default({}),
  as: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/)
    .optional(),
  expect: Expectation.optional(),
})
export type ScriptCall = z.output<typeof ScriptCall>

export const ScriptStep = z.strictObject({
  /** What the model says before its calls. */
  text: z.string().default(''),
  calls: z.array(ScriptCall).min(1),
})
export type ScriptStep = z.output<typeof ScriptStep>

export const ScriptPrompt = z.strictObject({
  steps: z.array(ScriptStep).default([]),
  /** The last thing the model says. */
  reply: z.string().default(''),
})

export const Script = z.strictObject({
  /** Entry N answers the Nth prompt of an agent. */
  prompts: z.array(ScriptPrompt).min(1),
})
export type Script = z.output<typeof Script>
export type ScriptInput = z.input<typeof Script>
