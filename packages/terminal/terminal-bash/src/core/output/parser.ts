/** Incremental parser: bytes in, printable runs, controls and sequences out, for any chunking alike. */
import { Action, State, TABLE } from './parser-table.js'
import type { PlainScan } from './plain-scan.js'
import { codePointAt, completeSequence, decodeUtf8, REPLACEMENT, Utf8Decoder } from './utf8.js'

const ESC = 0x1b
const BEL = 0x07
const LEFT_BRACKET = 0x5b
const RIGHT_BRACKET = 0x5d
/** Final byte of colours and the like, which say nothing about text: by far the most frequent. */
const SGR = 0x6d
/** Parameters kept of one sequence (VT510 manual: 16); more are swallowed. */
const MAX_PARAMS = 16
const MAX_PARAM_VALUE = 65_535
const MAX_COLLECTED = 4
/** Bytes kept of an OSC. A longer one is swallowed to its end and not reported. */
const MAX_OSC_BYTES = 4096

/** A control sequence `CSI <marker> params <intermediate> final`. */
export interface ControlSequence {
  /** `?`, `>`, `=`, `<` or an intermediate, as the sequence had them; mostly empty. */
  readonly collected: string
  readonly params: readonly number[]
  /** Final byte. */
  readonly final: string
}

/** Where the parser's findings go, in stream order. */
export interface ParserHandler {
  /** Take printable bytes from `from` on. @returns the first position not taken; `from` when the byte there is not plain. */
  print(scan: PlainScan, from: number, to: number): number
  printCodePoint(codePoint: number): void
  /** A C0 control, or a C1 control by its code point U+0080–U+009F. */
  execute(code: number): void
  /** `ESC intermediates final`, without those that open a string or a CSI. */
  escape(collected: string, final: string): void
  csi(sequence: ControlSequence): void
  osc(text: string): void
}

export class Parser {
  /** Position in the chunk after the byte being handled. */
  position = 0
  private state: State = State.Ground
  private readonly utf8 = new Utf8Decoder()
  private collected = ''
  private readonly params = new Uint16Array(MAX_PARAMS)
  private paramCount = 0
  private oscBytes: number[] = []
  private oscTooLong = false
  /** A byte C2 was the last one of a string: 9C after it is ST. */
  private isAfterC2 = false

  constructor(private readonly handler: ParserHandler) {}

  /** Drop whatever is unfinished: a private mark stood here and, like any escape sequence, ends it. */
  cancel(): void {
    if (this.utf8.abandon()) this.handler.printCodePoint(REPLACEMENT)
    this.state = State.Ground
  }

  /**
   * Parse from `from` until `to` or before the next ESC that may open an OSC, and so one of our marks: an ESC at `from` is taken
   * whatever follows, so that the caller can look first. @returns the position reached.
   */
  parse(scan: PlainScan, from: number, to: number): number {
    const { bytes } = scan
    let i = from
    while (i < to) {
      if (bytes[i] === ESC) {
        if (i > from && (i + 1 === to || bytes[i + 1] === RIGHT_BRACKET)) break
        i = this.takeEscape(bytes, i, to)
        continue
      }
      if (this.state === State.Ground && !this.utf8.isPending) {
        const next = this.handler.print(scan, i, to)
        if (next > i) {
          i = next
          continue
        }
      } else if (this.state === State.String) {
        i = this.skipString(bytes, i, to)
        if (i >= to || bytes[i] === ESC) continue
      }
      const byte = bytes[i] as number
      this.position = i + 1
      if (byte >= 0x80 || this.utf8.isPending) i = this.takeHigh(bytes, i, to)
      else {
        i += 1
        this.takeControl(byte)
      }
    }
    return i
  }

  /** Colours come in such numbers that they are skipped whole; everything else goes byte by byte. */
  private takeEscape(bytes: Uint8Array, at: number, to: number): number {
    if (this.state === State.Ground && !this.utf8.isPending && at + 2 < to && bytes[at + 1] === LEFT_BRACKET) {
      let i = at + 2
      while (i < to && (bytes[i] as number) >= 0x30 && (bytes[i] as number) <= 0x3b) i += 1
      if (i < to && bytes[i] === SGR) return i + 1
    }
    this.position = at + 1
    this.takeControl(ESC)
    return at + 1
  }

  /** Content of a string is of no interest: find what may end it. */
  private skipString(bytes: Uint8Array, from: number, to: number): number {
    if (this.isAfterC2) return from
    let i = from
    while (i < to) {
      const byte = bytes[i] as number
      if (byte < 0x20 ? byte === ESC || byte === 0x18 || byte === 0x1a : byte === 0xc2) return i
      i += 1
    }
    return i
  }

  private takeControl(byte: number): void {
    if (byte === ESC && this.utf8.abandon()) this.handler.printCodePoint(REPLACEMENT)
    this.isAfterC2 = false
    const entry = TABLE[(this.state << 7) | byte] as number
    this.state = (entry & 0x0f) as State
    this.perform((entry >> 4) as Action, byte)
  }

  private perform(action: Action, byte: number): void {
    switch (action) {
      case Action.None:
        break
      case Action.Execute:
        this.handler.execute(byte)
        break
      case Action.Clear:
        this.clear()
        break
      case Action.Collect:
        if (this.collected.length < MAX_COLLECTED) this.collected += String.fromCharCode(byte)
        break
      case Action.Param:
        this.takeParam(byte)
        break
      case Action.EscDispatch:
        this.handler.escape(this.collected, String.fromCharCode(byte))
        break
      case Action.CsiDispatch:
        if (byte !== SGR) this.handler.csi(this.sequence(byte))
        break
      case Action.OscStart:
        this.oscBytes = []
        this.oscTooLong = false
        break
      case Action.OscPut:
        this.putOsc(byte)
        break
      case Action.OscEnd:
        this.clear()
        if (!this.oscTooLong) this.handler.osc(decodeUtf8(Uint8Array.from(this.oscBytes)))
        this.oscBytes = []
    }
  }

  private sequence(final: number): ControlSequence {
    const params: number[] = []
    for (let i = 0; i < this.paramCount && i < MAX_PARAMS; i += 1) params.push(this.params[i] as number)
    return { collected: this.collected, params, final: String.fromCharCode(final) }
  }

  private clear(): void {
    this.collected = ''
    this.paramCount = 0
  }

  private takeParam(byte: number): void {
    if (this.paramCount === 0) this.startParam()
    if (byte >= 0x3a) {
      this.startParam()
      return
    }
    const last = this.paramCount - 1
    if (last < MAX_PARAMS) {
      this.params[last] = Math.min((this.params[last] as number) * 10 + (byte - 0x30), MAX_PARAM_VALUE)
    }
  }

  private startParam(): void {
    if (this.paramCount < MAX_PARAMS) this.params[this.paramCount] = 0
    if (this.paramCount <= MAX_PARAMS) this.paramCount += 1
  }

  private putOsc(byte: number): void {
    if (this.oscBytes.length < MAX_OSC_BYTES) this.oscBytes.push(byte)
    else this.oscTooLong = true
  }

  /** A byte from 0x80 on, or any byte while a UTF-8 sequence is unfinished. @returns the position reached. */
  private takeHigh(bytes: Uint8Array, at: number, to: number): number {
    const byte = bytes[at] as number
    if (this.state === State.Osc || this.state === State.String) {
      this.takeStringByte(byte)
      return at + 1
    }
    if (!this.utf8.isPending) {
      const length = completeSequence(bytes, at, to)
      if (length > 0) {
        this.takeCodePoint(codePointAt(bytes, at, length))
        return at + length
      }
    }
    const step = this.utf8.take(byte)
    if (step === 'code-point') this.takeCodePoint(this.utf8.codePoint)
    else if (step !== 'more') this.takeCodePoint(REPLACEMENT)
    return step === 'ill-formed-again' ? at : at + 1
  }

  private takeStringByte(byte: number): void {
    const isEnd = this.isAfterC2 && byte === 0x9c
    this.isAfterC2 = byte === 0xc2
    if (isEnd) {
      const wasOsc = this.state === State.Osc
      this.state = State.Ground
      if (wasOsc) {
        this.oscBytes.pop()
        this.perform(Action.OscEnd, BEL)
      }
    } else if (this.state === State.Osc) this.putOsc(byte)
  }

  /** Any code point from U+0080 on ends a sequence it cannot belong to. */
  private takeCodePoint(codePoint: number): void {
    this.state = State.Ground
    if (codePoint > 0x9f) this.handler.printCodePoint(codePoint)
    else this.takeC1(codePoint)
  }

  /** C1 introducers; the other C1 controls are executed. ECMA-48 5.3. */
  private takeC1(code: number): void {
    switch (code) {
      case 0x9b:
        this.clear()
        this.state = State.CsiEntry
        break
      case 0x9d:
        this.state = State.Osc
        this.perform(Action.OscStart, code)
        break
      case 0x90:
      case 0x98:
      case 0x9e:
      case 0x9f:
        this.state = State.String
        break
      default:
        this.handler.execute(code)
    }
  }
}
