import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHouse } from '../house.js'
import { ALL_FEATURES, openScreenHouse, type ScreenHouse, textOf } from './screen-house.js'

useBaseline()

let at: ScreenHouse
beforeEach(async () => {
  at = await openScreenHouse()
})
afterEach(() => at.dispose())

describe('search', () => {
  beforeEach(() => at.run('for i in $(seq 1 300); do echo "row $i"; done'))

  it('finds text with the numbers of its lines and what stands around it', async () => {
    const result = await at.read({ search: 'row 150', context: 1 })
    const expected = { line: expect.any(Number), text: 'row 150', before: ['row 149'], after: ['row 151'] }
    expect(result.structured).toMatchObject({ matches: [expected] })
    const line = Number(/(\d+): row 150/.exec(textOf(result))?.[1])
    expect(textOf(result)).toContain(`${line - 1}- row 149\n${line}: row 150\n${line + 1}- row 151`)
    expect(textOf(await at.read({ since: line, lines: 1 }))).toMatch(/^row 150\n/)
  })

  it('takes a regular expression, whatever the case of letters', async () => {
    const { structured } = await at.read({ search: '^ROW (99|100)$', regex: true, ignoreCase: true })
    expect(structured?.matches).toMatchObject([{ text: 'row 99' }, { text: 'row 100' }])
  })

  it('is bounded, and says where to go on', async () => {
    const first = await at.read({ search: '^row 2', regex: true, lines: 3 })
    expect(first.structured).toMatchObject({ stopped: 'matches', matches: [{ text: 'row 2' }, {}, { text: 'row 21' }] })
    const next = await at.read({ search: '^row 2', regex: true, lines: 1, since: Number(first.structured?.nextLine) })
    expect(next.structured?.matches).toMatchObject([{ text: 'row 22' }])
  })

  it('does not hang on a pattern that would take for ever elsewhere', async () => {
    await at.run(`printf 'a%.0s' $(seq 1 2000); echo b`)
    const { structured } = await at.read({ search: '^(a+)+$', regex: true })
    expect(structured).toMatchObject({ matches: [] })
  })

  it.each([
    ['(', 'missing closing'],
    ['(?<=a)b', 'look-around'],
    ['\\1', 'Back-references'],
  ])('refuses the pattern %s', async (search, advice) => {
    const result = await at.read({ search, regex: true })
    expect(result).toMatchObject({ isError: true, code: 'PATTERN_INVALID' })
    expect(textOf(result)).toContain(advice)
  })
})

describe('reading since a line', () => {
  it('shows each line of growing output once', async () => {
    const { nextLine } = (await at.read({ lines: 1 })).structured ?? {}
    await at.run('echo one; echo two')
    const first = await at.read({ since: nextLine })
    expect(textOf(first)).toContain('one\ntwo\n')
    await at.run('echo three')
    const second = await at.read({ since: first.structured?.nextLine })
    expect(textOf(second)).toContain('three\n')
    expect(textOf(second)).not.toContain('two')
  })

  it.each([
    { view: 'screen', lines: 3 },
    { view: 'screen', search: 'x' },
    { since: 3, offset: 2 },
  ])('%j is a contradiction, and refused', async (args) => {
    expect(await at.read(args)).toMatchObject({ isError: true })
  })
})

describe('waiting for output', () => {
  it('returns when a line matches, and the program goes on', async () => {
    const sent = await at.run('echo start; sleep 0.2; echo listening on 3000; sleep 2', { waitFor: 'listening on' })
    expect(sent).toMatchObject({ waitReason: 'output_match', matched: 'listening on 3000', state: 'busy' })
    expect(sent.text).toContain('[output_match: "listening on 3000"; the terminal is busy]')
    expect(await at.wait()).toMatchObject({ waitReason: 'stdin_read', state: 'prompt' })
  })

  it('is not deceived by the echo of the input', async () => {
    const sent = await at.run('true # never-shown', { waitFor: 'never-shown' })
    expect(sent).toMatchObject({ waitReason: 'stdin_read', state: 'prompt', matched: undefined })
    await at.run('cat')
    const echoed = await at.run('sleepy', { waitFor: '^sleepy$', regex: true })
    // What cat gives back is output; the terminal’s own echo before it is not.
    expect(echoed).toMatchObject({ waitReason: 'output_match', matched: 'sleepy' })
    expect(textOf(echoed.result)).toMatch(/^sleepy\n/)
    await at.press('ctrl+d')
  })

  it('sees a line that is not finished', async () => {
    const sent = await at.run(`printf 'progress: 50%%'; sleep 30`, { waitFor: '50%' })
    expect(sent).toMatchObject({ waitReason: 'output_match', matched: 'progress: 50%' })
    await at.press('ctrl+c')
  })

  it('returns for the usual reasons when nothing matches', async () => {
    expect(await at.run('sleep 30', { waitFor: 'never', timeoutMs: 300 })).toMatchObject({ waitReason: 'timeout' })
    expect(await at.press('ctrl+c')).toMatchObject({ state: 'prompt' })
    expect(await at.run('exit 0', { waitFor: 'never' })).toMatchObject({ waitReason: 'session_exit' })
  })

  it('types nothing when there is no text', async () => {
    await at.run('(sleep 2; echo later) & sleep 30', { timeoutMs: 50 })
    const sent = await at.house.call('terminal_send', { sessionId: at.sessionId, waitFor: 'later' })
    expect(sent.result.structured).toMatchObject({ waitReason: 'output_match', matched: 'later' })
    await at.press('ctrl+c')
  })

  it('needs something to do', async () => {
    const { result } = await at.house.call('terminal_send', { sessionId: at.sessionId })
    expect(result).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' })
    expect(textOf(result)).toContain(
      '- text: expected a string, unless keys or waitFor say what to do, received nothing',
    )
  })

  it('is refused in the background, before anything is typed', async () => {
    const sent = await at.run('echo x', { waitFor: 'x', run_in_background: true })
    expect(sent.result).toMatchObject({ isError: true })
    expect(textOf(await at.read({}))).not.toContain('echo x')
  })
})

describe('keys', () => {
  it('that are unknown leave everything untouched', async () => {
    const { result } = await at.press({ text: 'echo no' }, 'hyper+x', 'enter')
    expect(result).toMatchObject({ isError: true, code: 'KEY_UNKNOWN' })
    expect(textOf(result)).toContain('shift+tab')
    expect((await at.run('echo yes')).text).toBe('yes\n')
  })

  it('edit a line at the shell’s prompt', async () => {
    await at.run('echo first')
    expect(await at.press('up', 'ctrl+a', { text: 'echo second; ' }, 'enter')).toMatchObject({
      text: 'second\nfirst\n',
    })
  })

  it('typed into a hidden question are kept nowhere', async () => {
    await at.run('read -s -p "secret: " answer')
    await at.press({ text: 'hunter2' }, 'enter')
    expect((await at.run('printf %s "$answer" | wc -c')).text).toBe('7\n')
    expect(JSON.stringify(at.house.agent.session.events)).not.toContain('hunter2')
  })

  it('go into a background job', async () => {
    const { result } = await at.house.call('terminal_send', {
      sessionId: at.sessionId,
      keys: [{ text: 'echo in-background' }, 'enter'],
      run_in_background: true,
    })
    const { result: output } = await at.house.call('job_output', { jobId: result.structured?.jobId, wait: true })
    expect(textOf(output)).toContain('in-background')
    expect(output.structured?.title).toBe('echo in-background enter')
  })
})

describe('the screen', () => {
  it('is cheap to ask for again', async () => {
    await at.run('echo hi')
    const { hash } = await at.look()
    const same = await at.read({ view: 'screen', unchangedSince: hash })
    expect(same.structured).toMatchObject({ unchanged: true })
    await at.run('echo more')
    const other = await at.read({ view: 'screen', unchangedSince: hash })
    expect(textOf(other)).toContain('more')
  })

  it('takes another size, and the program draws itself anew', async () => {
    await at.run('seq 1 500 > numbers; less numbers')
    const { result } = await at.house.call('terminal_resize', { sessionId: at.sessionId, columns: 40, rows: 10 })
    expect(textOf(result)).toBe('[size 40x10]')
    const { screen } = await at.wait()
    expect(screen?.rows).toHaveLength(10)
    expect(screen?.columns).toBe(40)
    expect(screen?.rows).toEqual(await at.reference())
    expect(await at.press('q')).toMatchObject({ state: 'prompt' })
    expect((await at.run('tput cols')).text).toBe('40\n')
  })

  it.each([
    { columns: 10_000, rows: 10 },
    { columns: 80, rows: 0 },
    { columns: 80.5, rows: 10 },
  ])('cannot be %j', async (size) => {
    const { result } = await at.house.call('terminal_resize', { sessionId: at.sessionId, ...size })
    expect(result).toMatchObject({ isError: true })
  })
})

describe('a backend that keeps lines only', () => {
  it('refuses what it cannot do, with advice', async () => {
    const house = await buildHouse({ config: { features: ALL_FEATURES } })
    const { sessionId } = await house.open()
    for (const args of [{ view: 'screen' }, { search: 'x' }, { since: 1 }]) {
      const { result } = await house.call('terminal_read', { sessionId, ...args })
      expect(result).toMatchObject({ isError: true, code: 'UNSUPPORTED' })
    }
    await house.dispose()
  })
})
