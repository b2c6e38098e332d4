import type { ChannelEvent } from '@agent-terminals/ahp/client'
import { rawStream, reduceTerminal, type TerminalAction, type TerminalState } from '@agent-terminals/ahp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Boundary } from '../../../src/page/core/output-queue.js'
import { type After, OutputFeed, type OutputSource, type Surface } from '../../../src/page/terminal/output-feed.js'
import { arbitraryAction, commandPart, terminalState } from '../core/arbitrary-events.js'

class RecordedSource implements OutputSource {
  private listener: ((event: ChannelEvent<TerminalState>) => void) | undefined
  private seq = 0

  constructor(public state: TerminalState) {}

  onEvent(listener: (event: ChannelEvent<TerminalState>) => void): () => void {
    this.listener = listener
    return () => {
      this.listener = undefined
    }
  }

  get isFollowed(): boolean {
    return this.listener !== undefined
  }

  play(action: TerminalAction): void {
    this.state = reduceTerminal(this.state, action)
    const envelope = { channel: 'x:y', action, serverSeq: ++this.seq }
    this.listener?.({ type: 'action', envelope, state: this.state })
  }

  replace(state: TerminalState): void {
    this.state = state
    this.listener?.({ type: 'snapshot', state })
  }
}

/** Draws when it is told to. */
class RecordedSurface implements Surface {
  text = ''
  longest = 0
  resets = 0
  readonly boundaries: Boundary[] = []
  private done: (() => void) | undefined

  write(text: string, done: () => void): void {
    expect(this.done).toBeUndefined()
    this.longest = Math.max(this.longest, text.length)
    this.text += text
    this.done = done
  }

  handleBoundary(boundary: Boundary): void {
    this.boundaries.push(boundary)
    if (boundary.kind === 'cleared') this.text = ''
  }

  reset(): void {
    this.text = ''
    this.boundaries.length = 0
    this.resets++
  }

  finish(): boolean {
    const { done } = this
    this.done = undefined
    done?.()
    return done !== undefined
  }

  finishAll(): void {
    while (this.finish());
  }
}

/** Goes off when it is told to. */
class ManualTimer {
  private due: (() => void) | undefined
  readonly after: After = (_delayMs, run) => {
    this.due = run
    return () => {
      this.due = undefined
    }
  }

  goOff(): boolean {
    const { due } = this
    this.due = undefined
    due?.()
    return due !== undefined
  }
}

function start(state = terminalState()) {
  const source = new RecordedSource(state)
  const surface = new RecordedSurface()
  const timer = new ManualTimer()
  return { source, surface, timer, feed: new OutputFeed(source, surface, timer.after) }
}

describe('the output feed', () => {
  it('draws what was there, then what comes, with the commands in their places', () => {
    const content = [
      { type: 'unclassified' as const, value: '$ ' },
      commandPart({ commandId: 'c1', output: 'out\r\n', isComplete: true }),
      { type: 'unclassified' as const, value: '$ ' },
    ]
    const { source, surface } = start(terminalState({ content }))
    source.play({ type: 'terminal/commandExecuted', commandId: 'c2', commandLine: 'x', timestamp: 1 })
    source.play({ type: 'terminal/data', data: 'more' })
    surface.finishAll()
    expect(surface.text).toBe('$ out\r\n$ more')
    expect(surface.boundaries).toEqual([
      { kind: 'executed', commandId: 'c1' },
      { kind: 'finished', commandId: 'c1' },
      { kind: 'executed', commandId: 'c2' },
    ])
  })

  it('ends with what the terminal printed, in any order of actions and at any pace', () => {
    fc.assert(
      fc.property(fc.array(arbitraryAction), fc.array(fc.boolean()), (actions, pace) => {
        const { source, surface } = start()
        actions.forEach((action, index) => {
          source.play(action)
          if (pace[index] === true) surface.finish()
        })
        surface.finishAll()
        expect(surface.text).toBe(rawStream(source.state.content))
      }),
    )
  })

  it('waits for the surface, and gives it little at a time', () => {
    const { source, surface } = start()
    for (let index = 0; index < 90; index++) source.play({ type: 'terminal/data', data: 'x'.repeat(10_000) })
    expect(surface.text.length).toBe(10_000)
    surface.finishAll()
    expect(surface.text.length).toBe(900_000)
    expect(surface.longest).toBeLessThanOrEqual(64 << 10)
  })

  it('draws glimpses of a flood, and everything that is kept when it is over', () => {
    const { source, surface, timer } = start()
    const flood = (times: number, letter: string) => {
      for (let index = 0; index < times; index++) source.play({ type: 'terminal/data', data: letter.repeat(10_000) })
    }
    flood(120, 'a')
    surface.finishAll()
    expect(surface.text).toBe('a'.repeat(64 << 10))
    flood(120, 'b')
    surface.finishAll()
    // Nothing more is drawn until it is time for the next glimpse.
    expect(surface.text).toBe('a'.repeat(64 << 10))
    timer.goOff()
    surface.finishAll()
    expect(surface.text).toBe('b'.repeat(64 << 10))
    flood(2, 'c')
    timer.goOff()
    surface.finishAll()
    expect(surface.text).toBe(rawStream(source.state.content))
    expect(surface.text.endsWith('c')).toBe(true)
    expect(timer.goOff()).toBe(false)
    source.play({ type: 'terminal/data', data: 'followed again' })
    surface.finishAll()
    expect(surface.text.endsWith('cfollowed again')).toBe(true)
  })

  it('never mixes what it was drawing with what it draws anew', () => {
    const { source, surface } = start(
      terminalState({ content: [commandPart({ commandId: 'old', output: 'old', isComplete: true })] }),
    )
    surface.finish()
    source.replace(terminalState({ content: [{ type: 'unclassified', value: 'new' }] }))
    surface.finishAll()
    expect(surface.text).toBe('new')
    expect(surface.boundaries).toEqual([])
  })

  it('starts over with a new snapshot', () => {
    const { source, surface } = start(terminalState({ content: [{ type: 'unclassified', value: 'old' }] }))
    source.replace(terminalState({ content: [{ type: 'unclassified', value: 'new' }] }))
    surface.finishAll()
    expect(surface.text).toBe('new')
  })

  it('does nothing after its end', () => {
    const { source, surface, feed, timer } = start(terminalState({ content: [commandPart({ output: 'text' })] }))
    for (let index = 0; index < 120; index++) source.play({ type: 'terminal/data', data: 'x'.repeat(10_000) })
    feed.dispose()
    expect(timer.goOff()).toBe(false)
    surface.finishAll()
    expect(surface.boundaries).toEqual([])
    expect(source.isFollowed).toBe(false)
  })
})
