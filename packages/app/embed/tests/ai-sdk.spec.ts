import { useBaseline } from '@agent-terminals/testing'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { asAiSdkTools } from '../src/ai-sdk.js'
import { useTerminals } from './support.js'

useBaseline()

type Answer = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>
type Prompt = Parameters<MockLanguageModelV3['doGenerate']>[0]['prompt']

const usage: Answer['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

const callTool = (toolName: string, args: unknown): Answer => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(args) }],
  finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
  usage,
  warnings: [],
})

const say = (text: string): Answer => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
  warnings: [],
})

/** A model that answers with one function per step, each seeing what came before. */
function scripted(...steps: readonly ((prompt: Prompt) => Answer)[]): MockLanguageModelV3 {
  let step = 0
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const answer = steps[step++]
      if (!answer) throw new Error('the script is at its end')
      return answer(prompt)
    },
  })
}

const lastOutput = (prompt: Prompt): { readonly type: string; readonly value: string } => {
  const message = prompt.at(-1)
  const part = message?.role === 'tool' ? message.content[0] : undefined
  if (part?.type !== 'tool-result') throw new Error('the last message has no tool result')
  return part.output as { readonly type: string; readonly value: string }
}

describe('the AI SDK', () => {
  const bench = useTerminals()

  it('is offered the six terminal tools and the three of jobs, with closed schemas', async () => {
    const terminals = await bench.create()
    const tools = asAiSdkTools(terminals)
    expect(Object.keys(tools).sort()).toEqual([
      'job_kill',
      'job_list',
      'job_output',
      'terminal_close',
      'terminal_list',
      'terminal_open',
      'terminal_read',
      'terminal_send',
      'terminal_signal',
    ])
    expect(terminals.guidance).toContain('terminal_')
    const model = scripted(() => say('done'))
    await generateText({ model, tools, prompt: 'hello' })
    const [call] = model.doGenerateCalls
    const send = call?.tools?.find(({ name }) => name === 'terminal_send')
    expect(send).toMatchObject({
      type: 'function',
      inputSchema: { type: 'object', required: ['sessionId', 'text'], additionalProperties: false },
    })
  })

  it('drives a terminal over several steps', async () => {
    const terminals = await bench.create()
    const seen: string[] = []
    const idOf = () => terminals.list()[0]?.sessionId ?? ''
    const model = scripted(
      () => callTool('terminal_open', { type: 'shell' }),
      () => callTool('terminal_send', { sessionId: idOf(), text: 'cd / && X=7' }),
      () => callTool('terminal_send', { sessionId: idOf(), text: 'echo $PWD $X; (exit 4)' }),
      (prompt) => {
        seen.push(JSON.stringify(lastOutput(prompt)))
        return say('done')
      },
    )
    const { text, steps } = await generateText({
      model,
      tools: asAiSdkTools(terminals),
      stopWhen: stepCountIs(5),
      prompt: 'go',
    })
    expect(text).toBe('done')
    expect(seen).toEqual([JSON.stringify({ type: 'text', value: '/ 7\n[exit 4]' })])
    expect(steps[2]?.toolResults[0]?.output).toMatchObject({ data: { exitCode: 4, state: 'prompt' } })
  })

  it('hears of bad arguments as an error text that says what to change', async () => {
    const terminals = await bench.create()
    const outputs: unknown[] = []
    const model = scripted(
      () => callTool('terminal_send', { sessionId: 'nobody', txt: 'x' }),
      (prompt) => {
        outputs.push(lastOutput(prompt))
        return callTool('terminal_send', { sessionId: 'nobody', text: 'x' })
      },
      (prompt) => {
        outputs.push(lastOutput(prompt))
        return say('done')
      },
    )
    await generateText({ model, tools: asAiSdkTools(terminals), stopWhen: stepCountIs(5), prompt: 'go' })
    expect(outputs).toMatchObject([
      { type: 'error-text', value: expect.stringContaining('txt') },
      { type: 'error-text', value: expect.stringContaining('nobody') },
    ])
  })

  it('interrupts the program when a generation is aborted', async () => {
    const terminals = await bench.create()
    const { sessionId } = await terminals.open()
    const controller = new AbortController()
    terminals.on('data', ({ bytes }) => {
      if (Buffer.from(bytes).toString().includes('up\r\n')) controller.abort(new Error('enough'))
    })
    const model = scripted(() => callTool('terminal_send', { sessionId, text: 'echo up; sleep 60' }))
    const generating = generateText({
      model,
      tools: asAiSdkTools(terminals),
      stopWhen: stepCountIs(5),
      abortSignal: controller.signal,
      prompt: 'go',
    })
    await expect(generating).rejects.toThrow()
    expect((await terminals.send(sessionId, 'echo next')).viewport.text).toContain('next\n')
  })
})
