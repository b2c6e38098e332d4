import type { TerminalSessionId } from '@agent-terminals/terminal'
import { buildHouse, type House } from './house.js'
import { resolveOptions, type TerminalsOptions } from './options.js'
import type { Terminals } from './types.js'

/**
 * Everything a terminal needs, started in this process, for one owner.
 * @throws EmbedError `OPTIONS_INVALID` or `START_FAILED`.
 */
export async function createTerminals(options: TerminalsOptions = {}): Promise<Terminals> {
  return createPlainApi(await buildHouse(resolveOptions(options)))
}

/** Ids are opaque strings to a program; the service looks each up and refuses what it does not know. */
const asId = (sessionId: string) => sessionId as TerminalSessionId

function createPlainApi({ ctx, agent }: House): Terminals {
  const { terminals } = ctx
  const guidance = ctx.tools
    .guidance()
    .map(({ title, text }) => `# ${title}\n\n${text}`)
    .join('\n\n')
  let disposal: Promise<void> | undefined
  const end = async () => {
    try {
      await agent.dispose()
    } finally {
      await ctx.fiber.dispose()
    }
  }
  const dispose = () => {
    disposal ??= end()
    return disposal
  }

  return {
    ctx,
    agent,
    guidance,
    open: (request = {}) => terminals.spawn(agent, { type: 'shell', ...request }),
    async send(sessionId, text, request = {}) {
      const sending = terminals.send(agent, asId(sessionId), { submit: true, ...request, text })
      const outcome = await sending.outcome
      if (outcome.kind === 'settled') return outcome.result
      throw outcome.kind === 'cancelled' ? outcome.reason : outcome.error
    },
    read: (sessionId, request = {}) => terminals.read(agent, asId(sessionId), request),
    signal: (sessionId, signal) => terminals.signal(agent, asId(sessionId), signal),
    remaining: (sessionId) => terminals.remaining(agent, asId(sessionId)),
    resize(sessionId, size) {
      terminals.observers.resize(terminals.get(agent, asId(sessionId)).sessionId, size)
    },
    close: (sessionId) => terminals.close(agent, asId(sessionId)),
    get: (sessionId) => terminals.get(agent, asId(sessionId)),
    list: () => terminals.list(agent),
    on: (type, listener) =>
      terminals.observers.on('*', (id, event) => {
        if (isOfType(event, type)) listener(event, id)
      }),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

function isOfType<Event extends { readonly type: string }, Type extends Event['type']>(
  event: Event,
  type: Type,
): event is Extract<Event, { readonly type: Type }> {
  return event.type === type
}
