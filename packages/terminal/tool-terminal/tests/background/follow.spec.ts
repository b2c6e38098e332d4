import type { SendOutcome, SendResult } from '@agent-terminals/terminal'
import { describe, expect, it } from 'vitest'
import { describeActivity, endOf, followSend, type JobPolicy } from '../../src/background/follow.js'
import { settled } from '../scripted-backend.js'

const POLICY: JobPolicy = { isKillRequested: false, isWaitingOnly: false, isTimeUp: false, previousCwd: undefined }
const follow = (changes: Partial<SendResult>) => followSend(settled('', changes), POLICY)

describe('a job', () => {
  it('has failed when its program could not be interrupted', () => {
    const outcome: SendOutcome = {
      kind: 'cancelled',
      reason: new Error('no longer needed'),
      interruption: { delivered: 'failed' },
      viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    }
    expect(followSend(outcome, POLICY)).toMatchObject({ kind: 'settle', status: 'failed' })
  })

  it.each<readonly [string, Partial<SendResult>]>([
    ['is stopped, whatever the code', { state: 'stopped', exitCode: 0 }],
    ['took its shell along by a signal', { state: 'ended', sessionStatus: { kind: 'signalled', signal: 'SIGKILL' } }],
  ])('has failed when its program %s', (_title, changes) => {
    expect(follow(changes)).toMatchObject({ kind: 'settle', status: 'failed' })
  })

  it('names the directory it ends in where the one before is not known', () => {
    expect(follow({ exitCode: 0, cwd: '/src' })).toMatchObject({ facts: [{}, { text: 'cwd /src' }] })
  })

  it('is completed only by a shell that ended well', () => {
    expect(endOf({ kind: 'exited', exitCode: 0 }).status).toBe('completed')
    expect(endOf({ kind: 'exited', exitCode: 1 }).status).toBe('failed')
    expect(endOf({ kind: 'signalled', signal: 'SIGHUP' }).status).toBe('failed')
  })

  it('that waits without a question says what it waits for', () => {
    const { detail } = describeActivity({ state: 'key', lastLine: ' ' })
    expect(detail).toBe('for a single key; answer with terminal_send and submit false')
  })
})
