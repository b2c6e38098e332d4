import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { renderIssues } from '../../src/core/issues.js'

const schema = z.strictObject({
  name: z.string().min(2).max(5).optional(),
  count: z.int().min(0).max(10).optional(),
  mode: z.enum(['fast', 'slow']).optional(),
  flag: z.literal(true).optional(),
  list: z
    .array(z.strictObject({ on: z.boolean() }))
    .min(1)
    .optional(),
  either: z.union([z.string(), z.number()]).optional(),
  tagged: z
    .discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])
    .optional(),
  code: z.string().regex(/^x/).optional(),
  step: z.number().multipleOf(5).optional(),
  own: z.string({ error: 'must be the id that terminal_open gave' }).optional(),
  odd: z
    .number()
    .refine((value) => value % 2 === 1, 'must be odd')
    .optional(),
})

function problemsOf(args: unknown): string {
  const parsed = schema.safeParse(args)
  return parsed.success ? '' : renderIssues(parsed.error.issues, { args, parameters: ['name', 'count'] })
}

describe('renderIssues', () => {
  it.each([
    ['a wrong type', { name: 42 }, '- name: expected a string, received 42'],
    ['NaN', { count: Number.NaN }, '- count: expected a number, received NaN'],
    ['infinity', { count: Number.POSITIVE_INFINITY }, '- count: expected a number, received Infinity'],
    ['a fraction', { count: 1.5 }, '- count: expected a whole number, received 1.5'],
    ['a negative number', { count: -1 }, '- count: expected at least 0, received -1'],
    ['a huge number', { count: 1e300 }, '- count: expected at most 10, received 1e+300'],
    ['a short text', { name: '' }, '- name: expected at least 2 characters, received ""'],
    [
      'a long text',
      { name: 'x'.repeat(999) },
      '- name: expected at most 5 characters, received text of 999 characters',
    ],
    ['a wrong choice', { mode: 'medium' }, '- mode: expected one of "fast", "slow", received "medium"'],
    ['a wrong literal', { flag: false }, '- flag: expected true, received false'],
    ['an empty list', { list: [] }, '- list: expected at least 1 item, received a list'],
    ['a nested value', { list: [{ on: 'yes' }] }, '- list.0.on: expected a boolean, received "yes"'],
    ['a missing nested value', { list: [{}] }, '- list.0.on: expected a boolean, received nothing'],
    ['no branch of a union', { either: true }, '- either: expected a string or a number, received true'],
    ['an unknown tag', { tagged: { kind: 'c' } }, '- tagged.kind: expected one of "a", "b", received "c"'],
    ['a wrong form', { code: 'y' }, '- code: expected text of the form /^x/, received "y"'],
    ['a wrong multiple', { step: 7 }, '- step: expected a multiple of 5, received 7'],
    ["a schema's own words", { own: 1 }, '- own: must be the id that terminal_open gave, received 1'],
    ["a check's own words", { odd: 2 }, '- odd: must be odd, received 2'],
    ['an extra key', { nmae: 1 }, '- nmae: not a known parameter; the parameters are name, count'],
    ['an extra nested key', { list: [{ on: true, off: 1 }] }, '- list.0.off: not a known parameter'],
    ['an odd key', { 'a\nb': 1 }, '- "a\\nb": not a known parameter; the parameters are name, count'],
    ['null', null, '- arguments: expected an object, received null'],
    ['a list', [], '- arguments: expected an object, received a list'],
    ['nothing', undefined, '- arguments: expected an object, received nothing'],
  ])('tells %s in one line', (_what, args, line) => {
    expect(problemsOf(args)).toBe(line)
  })

  it('leaves the words of a check on several parameters as they are', () => {
    const pair = z
      .strictObject({ from: z.number().optional(), to: z.number().optional() })
      .refine(({ from, to }) => from === undefined || to === undefined, 'from and to exclude each other: leave one out')
    const args = { from: 1, to: 2 }
    const { error } = pair.safeParse(args)
    expect(renderIssues(error?.issues ?? [], { args, parameters: ['from', 'to'] })).toBe(
      '- from and to exclude each other: leave one out',
    )
  })

  it('gives every issue its line and counts those beyond twenty', () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, 1]))
    const lines = problemsOf(many).split('\n')
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('- and 5 more')
  })

  it('stays short and on one line per issue whatever comes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (args) => {
        const lines = problemsOf(args).split('\n')
        expect(lines.length).toBeLessThanOrEqual(21)
        for (const line of lines) expect(line.length).toBeLessThan(400)
      }),
    )
  })
})
