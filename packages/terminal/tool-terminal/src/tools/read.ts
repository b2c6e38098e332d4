/** `terminal_read`: a page of retained output; where a deployment has it, the screen, or lines that match. */
import { type ScrollbackPage, TerminalError } from '@agent-terminals/terminal'
import type { ToolExecution, ToolResult } from '@agent-terminals/tools/contract'
import { boundStructured } from '../result/bound.js'
import { cleanText } from '../result/clean.js'
import { composeText } from '../result/compose.js'
import { fitPage } from '../result/page.js'
import { pageFacts } from '../result/read.js'
import { screenData, screenFact, screenText, spanFacts } from '../result/screen.js'
import { searchFacts, searchText } from '../result/search.js'
import { type ReadArguments, readInputFor, readOutputFor } from './read-schema.js'
import { asSessionId, defineTool, labelOf, reply, resultCard, type Toolkit } from './toolkit.js'

export const createReadTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_read',
    description:
      'Read retained output of a terminal without sending anything, also while a send is active or after the terminal has ' +
      'ended. Pages go backward from the newest line; the result says which lines it holds and how to get older ones.',
    input: readInputFor(kit.config.features),
    output: readOutputFor(kit.config.features),
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute(args: ReadArguments, exec) {
      if (args.view === 'screen') return readScreen(kit, args, exec)
      if (args.search !== undefined) return search(kit, args, args.search, exec)
      return readLines(kit, args, exec)
    },
    presentCall: (args: ReadArguments, agent) => ({
      card: 'generic',
      kind: 'read',
      title: `Read terminal ${labelOf(kit, agent, args.sessionId)}`,
    }),
    presentResult: (_args, result) => resultCard('read', 'Terminal output', result),
  })

function readLines(kit: Toolkit, args: ReadArguments, exec: ToolExecution): ToolResult {
  const { since } = args
  const whole = kit.terminals.read(exec.agent, asSessionId(args.sessionId), {
    ...(args.lines === undefined ? {} : { lines: args.lines }),
    ...(args.offset === undefined ? {} : { offset: args.offset }),
    ...(since === undefined ? {} : { since }),
  })
  const isNumbered = whole.firstLine !== undefined && whole.nextLine !== undefined
  if (since !== undefined && !isNumbered) throw unsupported()
  const hasNumbers = kit.config.features.search && isNumbered
  const { maxResultBytes } = kit.config
  const factsOf = (part: ScrollbackPage) => pageFacts(part, args.offset ?? 0, hasNumbers ? { since } : undefined)
  const dataOf = (
    { totalLines, lineBegin, lineEnd, truncated, firstLine, nextLine }: ScrollbackPage,
    text: string,
  ) => ({
    text,
    totalLines,
    lineBegin,
    lineEnd,
    truncated,
    ...(hasNumbers ? { firstLine, nextLine } : {}),
  })
  const fits = (part: ScrollbackPage) =>
    composeText(part.text, factsOf(part), maxResultBytes).omittedBytes === 0 &&
    boundStructured(dataOf(part, part.text), maxResultBytes).text === part.text
  const clean = { ...whole, text: cleanText(whole.text) }
  const page = fitPage(clean, { maxBytes: maxResultBytes, isForward: since !== undefined, fits })
  const data = { ...page, truncated: page.truncated || !fits(page) }
  return reply(kit, page.text, factsOf(page), (text) => dataOf(data, text))
}

const unsupported = () =>
  new TerminalError('UNSUPPORTED', 'Terminals of this type do not number their lines. Use lines and offset.')

async function readScreen(kit: Toolkit, args: ReadArguments, exec: ToolExecution): Promise<ToolResult> {
  const screen = await kit.terminals.screen(exec.agent, asSessionId(args.sessionId), {
    attributes: args.attributes ?? false,
  })
  if (screen.hash === args.unchangedSince) {
    const facts = [{ text: `the screen is unchanged, hash ${screen.hash}`, isEssential: true }]
    return reply(kit, '', facts, (text) => ({ text, unchanged: true }))
  }
  const facts = [screenFact(screen), ...spanFacts(screen.spans ?? [])]
  return reply(kit, screenText(screen), facts, (text) => ({ text, screen: screenData(screen) }))
}

async function search(kit: Toolkit, args: ReadArguments, pattern: string, exec: ToolExecution): Promise<ToolResult> {
  const result = await kit.terminals.search(exec.agent, asSessionId(args.sessionId), {
    pattern,
    isRegex: args.regex ?? false,
    ignoreCase: args.ignoreCase ?? false,
    context: args.context ?? 0,
    signal: exec.signal,
    ...(args.since === undefined ? {} : { since: args.since }),
    ...(args.lines === undefined ? {} : { maxMatches: args.lines }),
  })
  return reply(kit, searchText(result), searchFacts(result, args.since ?? 1), (text) => ({ text, ...result }))
}
