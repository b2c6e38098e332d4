import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHostTag, parseHostTag, readOwnNamespace, renderHostTag } from '../../src/host-end/host-tag.js'
import { captureIdentity } from '../../src/teardown/index.js'

const random = 'ab'.repeat(16)
const digits = fc.option(fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String), { nil: undefined })

describe('the tag of a host', () => {
  it('says which process the host is', () => {
    const { pid, startTime } = captureIdentity(process.pid)
    const isLinux = process.platform === 'linux'
    expect(parseHostTag(createHostTag())).toEqual({
      pid,
      startTime: isLinux ? startTime : undefined,
      namespace: readOwnNamespace(),
    })
    expect(readOwnNamespace() !== undefined).toBe(isLinux)
  })

  it('is another one each time, and one word to a shell', () => {
    expect(createHostTag()).not.toBe(createHostTag())
    expect(createHostTag()).toMatch(/^\w+$/)
  })

  it('says what was put in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 22 }), digits, digits, (pid, startTime, namespace) => {
        expect(parseHostTag(renderHostTag({ pid, startTime, namespace }, random))).toEqual({
          pid,
          startTime,
          namespace,
        })
      }),
    )
  })

  it.each(['', random, `${random}_1_2`, `${random}_x_2_3`, `x${random}_1_2_3`, `${random}_1_2_3 `])(
    'is not %j',
    (text) => {
      expect(parseHostTag(text)).toBeUndefined()
    },
  )
})
