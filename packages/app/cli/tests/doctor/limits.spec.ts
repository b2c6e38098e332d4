import { describe, expect, test } from 'vitest'
import { checkLimit, listPidsGroups, parseMost, parseSoftLimit } from '../../src/doctor/limits.js'
import { readLimits } from '../../src/doctor/read-limits.js'

describe('a limit', () => {
  test('says how many terminals fit', () => {
    expect(checkLimit({ name: 'open files', most: 1024, used: 24 })).toEqual({
      name: 'open files',
      status: 'ok',
      detail: '24 of 1024 descriptors of this process in use; a terminal takes up to 26: room for 38',
    })
  })

  test.each([
    ['ptys', 40, 10, 'warn', /After about 30 more/],
    ['processes', 100, 98, 'fail', /No terminal can be opened/],
    ['pids cgroup', 10, 12, 'fail', /No terminal can be opened/],
  ] as const)('of %s is told when it is near, with cost and advice', (name, most, used, status, cost) => {
    expect(checkLimit({ name, most, used })).toMatchObject({
      status,
      cost: expect.stringMatching(cost),
      advice: expect.any(String),
    })
  })

  test('whose use is not known counts from its top', () => {
    expect(checkLimit({ name: 'ptys', most: 511, used: undefined })).toMatchObject({
      status: 'ok',
      detail: '511 PTYs of this machine at most; a terminal takes up to 1: room for 511',
    })
  })

  test.each([
    ['unlimited', 'no limit'],
    [undefined, 'not known here'],
  ] as const)('of %s is in order', (most, detail) => {
    expect(checkLimit({ name: 'processes', most, used: 3 })).toEqual({ name: 'processes', status: 'ok', detail })
  })
})

describe('reading', () => {
  const limits = [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             unlimited            unlimited            processes ',
    'Max open files            1024                 524288               files     ',
  ].join('\n')

  test('takes the soft limit', () => {
    expect(parseSoftLimit(limits, 'Max open files')).toBe(1024)
    expect(parseSoftLimit(limits, 'Max processes')).toBe('unlimited')
    expect(parseSoftLimit(limits, 'Max pending signals')).toBeUndefined()
    expect(parseSoftLimit('', 'Max processes')).toBeUndefined()
  })

  test.each([
    ['max\n', 'unlimited'],
    ['unlimited', 'unlimited'],
    ['2048\n', 2048],
    ['', undefined],
    ['some', undefined],
  ])('%j is %s', (text, most) => {
    expect(parseMost(text)).toBe(most)
  })

  test.each([
    [
      '0::/user.slice/run.scope\n',
      ['/sys/fs/cgroup/user.slice/run.scope', '/sys/fs/cgroup/user.slice', '/sys/fs/cgroup'],
    ],
    [
      '9:name=systemd:/\n8:pids:/docker/abc\n0::/\n',
      ['/sys/fs/cgroup/pids/docker/abc', '/sys/fs/cgroup/pids/docker', '/sys/fs/cgroup/pids'],
    ],
    ['8:cpu,pids:/\n', ['/sys/fs/cgroup/pids']],
    ['0::/\n', ['/sys/fs/cgroup']],
    ['', []],
  ])('%j is bounded by %j', (text, groups) => {
    expect(listPidsGroups(text)).toEqual(groups)
  })

  test('finds the limits of this machine', async () => {
    const found = await readLimits()
    const files = found.find(({ name }) => name === 'open files')
    expect(files?.most).toBeDefined()
    expect(files?.used).toBeGreaterThan(2)
    expect(found.find(({ name }) => name === 'ptys')?.most).toEqual(expect.any(Number))
    expect(found.every((limit) => checkLimit(limit).name === limit.name)).toBe(true)
  })
})
