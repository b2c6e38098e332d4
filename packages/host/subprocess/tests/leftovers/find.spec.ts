import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderHostTag, type TaggedHost } from '../../src/host-end/host-tag.js'
import { createLinuxTable } from '../../src/inspector/linux-table.js'
import { findLeftovers } from '../../src/leftovers/find.js'
import { LinuxLeftoverSource } from '../../src/leftovers/linux-source.js'
import { PsLeftoverSource } from '../../src/leftovers/ps-source.js'
import { FakeProc } from '../support/fake-proc.js'

const NAMESPACE = '4026531836'
const uid = process.getuid?.()
const tagOf = (host: Partial<TaggedHost> & { readonly pid: number }) =>
  renderHostTag({ startTime: '500', namespace: NAMESPACE, ...host }, 'ab'.repeat(16))
const environmentOf = (hostTag: string, sessionTag = 'session') =>
  ['PATH=/bin', `AGENT_TERMINALS_TAG=${sessionTag}`, `AGENT_TERMINALS_HOST=${hostTag}`]
    .map((each) => `${each}\0`)
    .join('')

describe('leftovers over procfs', () => {
  let proc: FakeProc
  beforeEach(() => {
    proc = new FakeProc()
    proc.put({ pid: 1 })
    // The host that runs, and the shell from which the search is made.
    proc.put({ pid: 10, startTime: '500' })
    proc.put({ pid: 20, parentPid: 1 })
    proc.put({ pid: 21, parentPid: 20 })
  })
  afterEach(() => proc.destroy())

  const find = (options: { readonly uid?: number } = {}) =>
    findLeftovers(
      new LinuxLeftoverSource({
        table: createLinuxTable({ root: proc.root }),
        ownPid: 21,
        namespace: NAMESPACE,
        uid,
        ...options,
      }),
    )

  it('are processes that carry the tag of a host that has gone, with their command line', async () => {
    proc.put({
      pid: 30,
      startTime: '900',
      commandLine: 'sleep\x0060\0',
      environment: environmentOf(tagOf({ pid: 11 })),
    })
    expect(await find()).toEqual({
      leftovers: [{ pid: 30, startTime: '900', command: 'sleep 60', sessionTag: 'session' }],
      inUse: 0,
      unjudged: 0,
    })
  })

  it('are named by their program where the command line is not to be had', async () => {
    proc.put({ pid: 30, command: 'daemon', environment: environmentOf(tagOf({ pid: 11 })) })
    expect((await find()).leftovers).toMatchObject([{ command: 'daemon' }])
  })

  it('are also those whose host’s pid names a younger process now', async () => {
    proc.put({ pid: 30, environment: environmentOf(tagOf({ pid: 10, startTime: '400' })) })
    expect((await find()).leftovers).toHaveLength(1)
  })

  it('are also those whose host has ended and only waits to be collected', async () => {
    proc.put({ pid: 10, startTime: '500', state: 'Z' })
    proc.put({ pid: 30, environment: environmentOf(tagOf({ pid: 10 })) })
    expect((await find()).leftovers).toHaveLength(1)
  })

  it('are none of a host that runs', async () => {
    proc.put({ pid: 30, environment: environmentOf(tagOf({ pid: 10 })) })
    expect(await find()).toEqual({ leftovers: [], inUse: 1, unjudged: 0 })
  })

  it.each([
    ['in another pid namespace', tagOf({ pid: 11, namespace: '4026532000' })],
    ['of a version that does not say', 'ab'.repeat(16)],
  ])('are none of a host %s: it cannot be judged', async (_, tag) => {
    proc.put({ pid: 30, environment: environmentOf(tag) })
    expect(await find()).toEqual({ leftovers: [], inUse: 0, unjudged: 1 })
  })

  it('are neither zombies, nor another user’s, nor without the tag', async () => {
    proc.put({ pid: 30, state: 'Z', environment: environmentOf(tagOf({ pid: 11 })) })
    proc.put({ pid: 31, environment: 'PATH=/bin\0NOT_AGENT_TERMINALS_HOST=x\0' })
    expect((await find()).leftovers).toEqual([])
    proc.put({ pid: 32, environment: environmentOf(tagOf({ pid: 11 })) })
    expect((await find({ uid: (uid ?? 0) + 1 })).leftovers).toEqual([])
  })

  it('are neither the process that looks nor its ancestors', async () => {
    const environment = environmentOf(tagOf({ pid: 11 }))
    proc.put({ pid: 20, parentPid: 1, environment })
    proc.put({ pid: 21, parentPid: 20, environment })
    proc.put({ pid: 22, parentPid: 20, environment })
    expect((await find()).leftovers.map(({ pid }) => pid)).toEqual([22])
  })
})

describe('leftovers over ps', () => {
  const started = 'Sun Nov 29 23:10:46 2026'
  const gone = tagOf({ pid: 11, startTime: undefined, namespace: undefined })
  const alive = tagOf({ pid: 10, startTime: undefined, namespace: undefined })
  const foreign = tagOf({ pid: 11 })
  const rows = [
    ` 30 S    ${started} /bin/sleep 60 PATH=/bin AGENT_TERMINALS_TAG=one AGENT_TERMINALS_HOST=${gone} TERM=dumb`,
    ` 31 S    ${started} sleep 61 AGENT_TERMINALS_HOST=${alive}`,
    ` 32 Z    ${started} (sleep) AGENT_TERMINALS_HOST=${gone}`,
    ` 33 S    ${started} sleep 63 AGENT_TERMINALS_HOST=${foreign}`,
    ` 34 S    ${started} sleep 64 PATH=/bin`,
    ` 35 S    ${started} -zsh AGENT_TERMINALS_HOST=${gone}`,
    'what is this',
  ].join('\n')
  const row = (pid: number, parentPid: number) => `${pid} ${parentPid} ${pid} 0 S 0:00.01 ${started} ttys001 program`
  const runPs = async (args: readonly string[]) => {
    if (args.includes('-E')) return rows
    if (args.includes('-ax')) return [row(10, 1), row(35, 1), row(36, 35)].join('\n')
    return args.at(-1) === '10' ? row(10, 1) : ''
  }

  it('are told apart in the same way, by the pid of the host alone', async () => {
    expect(await findLeftovers(new PsLeftoverSource(runPs, 36))).toEqual({
      leftovers: [{ pid: 30, startTime: started, command: '/bin/sleep 60', sessionTag: 'one' }],
      inUse: 1,
      unjudged: 1,
    })
  })
})
