import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fdSetBytes, parseEpollInfo, parseFdSet, parsePollSet } from '../../src/inspector/parse-wait-set.js'

describe('parsePollSet', () => {
  const entry = (fd: number, events: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeInt32LE(fd, 0)
    bytes.writeUInt16LE(events, 4)
    return bytes
  }

  it('tells descriptors that are polled for input from those that are polled for something else', () => {
    const memory = Buffer.concat([entry(0, 1), entry(5, 4), entry(7, 0x41), entry(8, 0), entry(9, 0x40)])
    expect(parsePollSet(memory)).toEqual({ inputs: [0, 7, 9], others: [5, 8] })
  })

  it('leaves out what the kernel ignores: negative descriptors', () => {
    expect(parsePollSet(Buffer.concat([entry(-1, 1), entry(3, 1)]))).toEqual({ inputs: [3], others: [] })
  })

  it('reads any bytes at any offset without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(7), (bytes, offset) => {
        const { inputs, others } = parsePollSet(bytes.subarray(offset))
        for (const fd of [...inputs, ...others]) expect(fd).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('parseFdSet', () => {
  it('names exactly the set bits below the count', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(199)), fc.nat(200), (fds, count) => {
        const bytes = new Uint8Array(25)
        for (const fd of fds) bytes[fd >> 3] = (bytes[fd >> 3] ?? 0) | (1 << (fd & 7))
        const expected = fds.filter((fd) => fd < count).sort((a, b) => a - b)
        expect(parseFdSet(bytes.subarray(0, fdSetBytes(count)), count)).toEqual(expected)
      }),
    )
  })
})

describe('parseEpollInfo', () => {
  it('tells descriptors of the interest list that are watched for input from others, without those that have told once', () => {
    const text = [
      'pos:\t0',
      'flags:\t02000002',
      'mnt_id:\t15',
      'tfd:       20 events:       19 data:               14  pos:0 ino:3 sdev:17',
      'tfd:       11 events:        4 data:                b  pos:0 ino:4 sdev:10',
      'tfd:        8 events: 80000001 data:                8  pos:0 ino:4 sdev:10',
      'tfd:        9 events: 40000000 data:                9  pos:0 ino:4 sdev:10',
      'tfd:       12 events:     2018 data:                c  pos:0 ino:4 sdev:10',
      '',
    ].join('\n')
    expect(parseEpollInfo(text)).toEqual({ inputs: [20, 8], others: [11, 12] })
  })

  it('names nothing for the descriptor of something else', () => {
    expect(parseEpollInfo('pos:\t0\nflags:\t02\nmnt_id:\t15\n')).toEqual({ inputs: [], others: [] })
  })
})
