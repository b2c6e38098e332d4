import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { BackendRegistry } from '../src/backends.js'
import { buildHouse, failureOf } from './house.js'

useBaseline()

describe('admission of a new terminal', () => {
  it('hands the backend an absolute directory, the size and the minted id', async () => {
    const { terminals, backend, createOwner } = await buildHouse({ columns: 90, rows: 20 })
    const owner = await createOwner()
    void terminals.spawn(owner, { type: 'scripted', cwd: 'sub/../other' })
    expect(backend.lastOpen.request).toMatchObject({ cwd: '/work/other', size: { columns: 90, rows: 20 } })
    expect(backend.lastOpen.request.owner).toBe(owner)
    void terminals.spawn(owner, { type: 'scripted', cwd: '/tmp', size: { columns: 10, rows: 5 } })
    expect(backend.lastOpen.request).toMatchObject({ cwd: '/tmp', size: { columns: 10, rows: 5 } })
    void terminals.spawn(owner, { type: 'scripted' })
    expect(backend.lastOpen.request.cwd).toBe('/work')
    expect(backend.lastOpen.request.sessionId).toMatch(/^term-/)
  })

  it('returns what was opened with the text before the first prompt', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    const opening = terminals.spawn(owner, { type: 'scripted', name: 'build' })
    backend.lastOpen.succeed()
    expect(await opening).toMatchObject({ name: 'build', type: 'scripted', pid: 4242, motd: 'welcome', sending: false })
  })

  it('says what to add where no backend is loaded at all', () => {
    expect(() => new BackendRegistry().get('shell')).toThrow('add one to the composition')
  })

  it('names the known types when a type is unknown', async () => {
    const { terminals, createOwner } = await buildHouse()
    const failure = await failureOf(async () => terminals.spawn(await createOwner(), { type: 'zsh' }))
    expect(failure).toMatchObject({ code: 'UNKNOWN_TYPE' })
    expect(failure.message).toContain('"scripted"')
  })

  it.each([
    ['empty', '', 'empty'],
    ['blank', '  ', 'empty'],
    ['too long', 'x'.repeat(65), '65 characters'],
    ['with a line break', 'a\nb', 'control'],
    ['with an escape', 'a\u001b[2Jb', 'control'],
    ['with a mark that reorders text', 'a\u202eb', 'control'],
    ['with half a surrogate pair', 'a\ud800b', 'control'],
  ])('refuses a name that is %s', async (_what, name, reason) => {
    const { terminals, backend, createOwner } = await buildHouse()
    const failure = await failureOf(async () => terminals.spawn(await createOwner(), { type: 'scripted', name }))
    expect(failure).toMatchObject({ code: 'NAME_INVALID' })
    expect(failure.message).toContain(reason)
    expect(backend.opens).toEqual([])
  })

  it('counts the length of a name in characters, not in UTF-16 units', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    void terminals.spawn(await createOwner(), { type: 'scripted', name: '🐚'.repeat(64) })
    expect(backend.opens).toHaveLength(1)
  })

  it('reserves a name while the terminal is still being opened', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    void terminals.spawn(owner, { type: 'scripted', name: 'main' })
    expect(await failureOf(() => terminals.spawn(owner, { type: 'scripted', name: 'main' }))).toMatchObject({
      code: 'NAME_TAKEN',
    })
    expect(backend.opens).toHaveLength(1)
  })

  it('frees a name when the start fails and when the terminal is closed', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    const failing = terminals.spawn(owner, { type: 'scripted', name: 'main' })
    backend.lastOpen.fail(new Error('no pty'))
    await expect(failing).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
    const opening = terminals.spawn(owner, { type: 'scripted', name: 'main' })
    const session = backend.lastOpen.succeed()
    const closing = terminals.close(owner, (await opening).sessionId)
    session.lastClose.resolve({ killed: true })
    await closing
    void terminals.spawn(owner, { type: 'scripted', name: 'main' })
    expect(backend.opens).toHaveLength(3)
  })

  it('lets two owners use the same name, and one owner many without a name', async () => {
    const { openOne, terminals, backend } = await buildHouse()
    const { owner } = await openOne({ name: 'main' })
    await openOne({ name: 'main' })
    void terminals.spawn(owner, { type: 'scripted' })
    void terminals.spawn(owner, { type: 'scripted' })
    expect(backend.opens).toHaveLength(4)
  })

  it('takes two spellings of the same characters for the same name', async () => {
    const { openOne, terminals } = await buildHouse()
    const { owner } = await openOne({ name: 'caf\u00e9' })
    await expect(terminals.spawn(owner, { type: 'scripted', name: 'cafe\u0301' })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    })
  })

  it.each([
    ['empty', '', /cwd is empty/],
    ['with a NUL character', 'sub\0dir', /cwd has a NUL character/],
  ])('refuses a directory that is %s, before its backend is asked', async (_what, cwd, message) => {
    const { terminals, createOwner, backend } = await buildHouse()
    const failure = await failureOf(async () => terminals.spawn(await createOwner(), { type: 'scripted', cwd }))
    expect(failure).toMatchObject({ code: 'CWD_INVALID', message: expect.stringMatching(message) })
    expect(backend.opens).toEqual([])
  })

  it('names the holder of a taken name by its id', async () => {
    const { openOne, terminals } = await buildHouse()
    const { owner, id } = await openOne({ name: 'main' })
    await expect(terminals.spawn(owner, { type: 'scripted', name: 'main' })).rejects.toThrow(id)
  })

  it('refuses more terminals than an owner may have, starts under way included, and others are not affected', async () => {
    const { openOne, terminals, createOwner, backend } = await buildHouse({ maxSessionsPerOwner: 2 })
    const { owner } = await openOne()
    void terminals.spawn(owner, { type: 'scripted' })
    const failure = await failureOf(() => terminals.spawn(owner, { type: 'scripted' }))
    expect(failure).toMatchObject({ code: 'LIMIT_REACHED' })
    expect(failure.message).toContain('Close one')
    void terminals.spawn(await createOwner('other'), { type: 'scripted' })
    expect(backend.opens).toHaveLength(3)
  })

  it('does not count an ended terminal against the limit', async () => {
    const { openOne, terminals, backend } = await buildHouse({ maxSessionsPerOwner: 1 })
    const { owner, session } = await openOne()
    session.exit(0)
    void terminals.spawn(owner, { type: 'scripted' })
    expect(backend.opens).toHaveLength(2)
  })

  it('refuses more starts at a time than configured', async () => {
    const { terminals, createOwner } = await buildHouse({ maxPendingSpawnsPerOwner: 1 })
    const owner = await createOwner()
    void terminals.spawn(owner, { type: 'scripted' })
    const failure = await failureOf(() => terminals.spawn(owner, { type: 'scripted' }))
    expect(failure).toMatchObject({ code: 'LIMIT_REACHED' })
    expect(failure.message).toContain('Wait')
  })

  it.each([
    [0, 24],
    [80, 1.5],
    [80, 1_001],
    [Number.NaN, 24],
  ])('refuses a size of %s by %s', async (columns, rows) => {
    const { terminals, createOwner } = await buildHouse()
    const opening = terminals.spawn(await createOwner(), { type: 'scripted', size: { columns, rows } })
    await expect(opening).rejects.toMatchObject({ code: 'SIZE_INVALID' })
  })

  it('leaves no owner activity behind a refusal', async () => {
    const { terminals, createOwner } = await buildHouse()
    const owner = await createOwner()
    const effects = owner.ctx.fiber.getEffects().length
    await expect(terminals.spawn(owner, { type: 'nothing' })).rejects.toMatchObject({ code: 'UNKNOWN_TYPE' })
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(owner.ctx.fiber.getEffects()).toHaveLength(effects)
  })

  it.each([
    ['CWD_MISSING', 'CWD_MISSING'],
    ['CWD_NOT_A_DIRECTORY', 'CWD_NOT_A_DIRECTORY'],
    ['PTY_UNAVAILABLE', 'PTY_UNAVAILABLE'],
    ['EXECUTABLE_MISSING', 'SHELL_MISSING'],
    ['UNSUPPORTED_PLATFORM', 'PTY_UNAVAILABLE'],
    ['SOMETHING_ELSE', 'SPAWN_FAILED'],
  ])('passes a process failure %s on as %s, with its message and cause', async (code, expected) => {
    const { terminals, backend, createOwner } = await buildHouse()
    const opening = terminals.spawn(await createOwner(), { type: 'scripted' })
    const cause = Object.assign(new Error('why it failed'), { code })
    backend.lastOpen.fail(cause)
    await expect(opening).rejects.toMatchObject({ code: expected, message: 'why it failed', cause })
  })
})
