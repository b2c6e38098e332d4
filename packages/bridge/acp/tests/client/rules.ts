/** The rules of the sheet's §7 that can be judged from one recorded stream. Returns violations in the order of the stream. */
import type { WireUpdate } from './card.js'

export type Advertised = 'terminal_output' | 'terminal_output_delta' | undefined

/** One line of the record, in order. Requests are those during which any update may come: a prompt, a load. */
export type Recorded =
  | { readonly kind: 'update'; readonly update: WireUpdate }
  | { readonly kind: 'permission'; readonly params: unknown }
  | { readonly kind: 'request-sent' }
  | { readonly kind: 'request-answered' }

const OUTPUT_KEYS = ['terminal_output', 'terminal_output_delta'] as const
const KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other']
const STATUSES = ['pending', 'in_progress', 'completed', 'failed']
const CALL_FIELDS = [
  'sessionUpdate',
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
  '_meta',
]
const isFinal = (status: unknown) => status === 'completed' || status === 'failed'
const MAX_CHUNK_BYTES = 64 * 1024
const MAX_CARD_BYTES = 4 * 1024 * 1024
const MAX_MESSAGE_BYTES = 1024 * 1024
const MAX_BLOCK_BYTES = 64 * 1024

interface Call {
  status: unknown
  terminalId: string | undefined
  data: string
  exits: number
}

export function findViolations(stream: readonly Recorded[], advertised: Advertised): readonly string[] {
  const violations: string[] = []
  const calls = new Map<string, Call>()
  const registered = new Map<string, string>()
  let isInTurn = false

  for (const item of stream) {
    if (item.kind === 'request-sent') isInTurn = true
    else if (item.kind === 'request-answered') {
      isInTurn = false
      for (const [id, call] of calls) if (!isFinal(call.status)) violations.push(`STATUS-4 ${id} is ${call.status}`)
    } else if (item.kind === 'permission') {
      if (JSON.stringify(item.params).includes('"terminal_')) violations.push('PERM-1')
      const id = (item.params as { toolCall?: { toolCallId?: string } }).toolCall?.toolCallId
      if (id === undefined || !calls.has(id)) violations.push(`PERM-1 ${id} is not known`)
    } else judge(item.update)
  }
  for (const [id, call] of calls) {
    if (call.terminalId !== undefined && call.exits !== 1) violations.push(`EXIT-1 ${id} has ${call.exits} exits`)
  }
  return violations

  function judge(update: WireUpdate): void {
    if (Buffer.byteLength(JSON.stringify(update)) > MAX_MESSAGE_BYTES) violations.push('IO-2')
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return
    const id = update.toolCallId
    const add = (rule: string) => violations.push(`${rule} ${String(id)}: ${JSON.stringify(update).slice(0, 200)}`)
    if (typeof id !== 'string' || id === '') return void add('META-2')
    for (const field of Object.keys(update)) if (!CALL_FIELDS.includes(field)) add(`META-1 ${field}`)
    const meta = update._meta ?? {}
    const keys = Object.keys(meta)
    if (advertised === undefined && keys.some((key) => key.startsWith('terminal_'))) add('CAP-1')
    for (const key of OUTPUT_KEYS) if (key in meta && key !== advertised) add('CAP-2')
    if (update.kind !== undefined && !KINDS.includes(String(update.kind))) add('META-2 kind')
    if (update.status !== undefined && !STATUSES.includes(String(update.status))) add('STATUS-1')

    const known = calls.get(id)
    if (update.sessionUpdate === 'tool_call') {
      if (known) add('META-3 announced twice')
      if (typeof update.title !== 'string' || update.title === '') add('REG-5')
      if (typeof update.title === 'string' && update.title.length > 4000) add('REG-8')
    } else if (!known) return void add('META-3')

    const call = known ?? { status: 'pending', terminalId: undefined, data: '', exits: 0 }
    calls.set(id, call)
    const info = meta.terminal_info as { terminal_id?: unknown; cwd?: unknown } | undefined
    if (info) {
      if (update.sessionUpdate !== 'tool_call' || typeof info.terminal_id !== 'string') add('REG-1')
      else {
        if (registered.has(info.terminal_id)) add('REG-3')
        registered.set(info.terminal_id, id)
        call.terminalId = info.terminal_id
        if (update.kind !== 'execute') add('REG-5 kind')
        if (!listsTerminal(update.content, info.terminal_id)) add('REG-4')
      }
      if (info.cwd !== undefined && (typeof info.cwd !== 'string' || !info.cwd.startsWith('/'))) add('REG-6')
    }
    judgeContent(update, call, add)
    judgeOutput(update, meta, call, add)
    judgeExit(update, meta, call, add)
    if (update.status !== undefined) {
      if (isFinal(call.status) && update.status !== call.status) add('STATUS-2')
      call.status = update.status
    }
    if (!isInTurn && update.sessionUpdate === 'tool_call_update') {
      const rest = Object.keys(update).filter((key) => !['sessionUpdate', 'toolCallId', '_meta'].includes(key))
      if (rest.length > 0) add('TURN-1')
    }
  }

  function judgeContent(update: WireUpdate, call: Call, add: (rule: string) => void): void {
    if (update.content === undefined) return
    if (!Array.isArray(update.content)) {
      add('META-2 content')
      return
    }
    for (const item of update.content as Record<string, unknown>[]) {
      if (item.type === 'terminal') {
        if (advertised === undefined) add('CAP-1 content')
        if (!registered.has(String(item.terminalId))) add('REG-2')
      } else if (call.terminalId !== undefined) add('CONTENT-2')
      else if (item.type === 'content') judgeText((item.content as { text?: unknown }).text, add)
    }
    if (call.terminalId !== undefined && !listsTerminal(update.content, call.terminalId)) add('CONTENT-1')
  }

  function judgeText(text: unknown, add: (rule: string) => void): void {
    if (typeof text !== 'string') {
      add('META-2 text')
      return
    }
    if (/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text)) add('FB-3')
    if (Buffer.byteLength(text) > MAX_BLOCK_BYTES) add('FB-6')
    const [, ticks = '', body = ''] = /^(`+)[a-z]*\n([\s\S]*)\n\1$/.exec(text) ?? []
    const longest = Math.max(0, ...(body.match(/`+/g) ?? []).map((run) => run.length))
    if (ticks.length < 3 || longest >= ticks.length) add('FB-2')
    if (body.trim() === '') add('FB-5')
  }

  function judgeOutput(
    update: WireUpdate,
    meta: Readonly<Record<string, unknown>>,
    call: Call,
    add: (rule: string) => void,
  ): void {
    for (const key of OUTPUT_KEYS) {
      const output = meta[key] as { terminal_id?: unknown; data?: unknown } | undefined
      if (!output) continue
      const { terminal_id, data } = output
      if (update.sessionUpdate !== 'tool_call_update' || typeof terminal_id !== 'string' || typeof data !== 'string') {
        add('OUT-1')
        continue
      }
      if (terminal_id !== call.terminalId) add('OUT-1 another terminal')
      if (call.exits > 0) add('OUT-6')
      if (data === '') add('OUT-5 empty')
      if (Buffer.byteLength(data) > MAX_CHUNK_BYTES) add('OUT-5 size')
      if (/\p{Surrogate}/u.test(data) || /\x1b(?:\[[\x20-\x3f]*|[PX\]^_][^\x07\x1b]*)?$/.test(data)) add('OUT-4')
      const rest = Object.keys(update).filter((field) => !['sessionUpdate', 'toolCallId', '_meta'].includes(field))
      if (rest.length > 0) add('OUT-8')
      call.data += data
      if (Buffer.byteLength(call.data) > MAX_CARD_BYTES + 1024) add('OUT-9')
    }
  }

  function judgeExit(
    update: WireUpdate,
    meta: Readonly<Record<string, unknown>>,
    call: Call,
    add: (rule: string) => void,
  ): void {
    const exit = meta.terminal_exit as { terminal_id?: unknown; exit_code?: unknown; signal?: unknown } | undefined
    if (!exit) return
    call.exits++
    if (update.sessionUpdate !== 'tool_call_update' || exit.terminal_id !== call.terminalId) add('EXIT-1')
    const { exit_code, signal } = exit
    const isCode = Number.isInteger(exit_code) && Number(exit_code) >= 0 && Number(exit_code) < 2 ** 32
    if (exit_code !== null && !isCode) add('EXIT-2 exit_code')
    if (signal !== null && typeof signal !== 'string') add('EXIT-2 signal')
    const isBad = (typeof exit_code === 'number' && exit_code !== 0) || typeof signal === 'string'
    if (update.status === 'completed' && isBad) add('STATUS-3')
    if (update.status === 'failed' && exit_code === 0) add('STATUS-3')
  }
}

function listsTerminal(content: unknown, terminalId: string): boolean {
  return (
    Array.isArray(content) &&
    content.some((item) => (item as { type?: unknown; terminalId?: unknown }).terminalId === terminalId)
  )
}
