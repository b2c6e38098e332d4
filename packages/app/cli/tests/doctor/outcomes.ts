import type { SendOutcome, SendResult } from '@agent-terminals/terminal'

/** A settled send with what a test cares for. */
export function settled(change: Partial<SendResult> = {}, text = ''): SendOutcome {
  return {
    kind: 'settled',
    result: {
      viewport: { text, omittedLines: 0, omittedBytes: 0 },
      waitReason: 'stdin_read',
      sessionStatus: { kind: 'running' },
      truncated: false,
      state: 'prompt',
      promptDetection: 'active',
      elapsedMs: 1,
      notes: [],
      ...change,
    },
  }
}

export const failed: SendOutcome = { kind: 'failed', error: new Error('the shell is gone') }
