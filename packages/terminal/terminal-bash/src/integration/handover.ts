/** Hands the nonce to a starting shell, once, in answer to its request. */
import { randomBytes } from 'node:crypto'
import { joinBytes } from '../core/index.js'

/** What the shell prints when it reads the nonce with echo off. It comes before anything of the user's has run. */
const REQUEST = new TextEncoder().encode('\x1b]6973;nonce?\x07')

/** Unguessable, one per terminal: 128 random bits in hexadecimal. */
export function createNonce(): string {
  return randomBytes(16).toString('hex')
}

export interface HandoverStep {
  /** What is left of the chunk: everything but the request. */
  readonly output: Uint8Array
  /** To be written to the terminal at once. Given exactly once. */
  readonly reply?: string
}

type HandoverState =
  | { readonly kind: 'waiting'; readonly held: Uint8Array }
  /** Later requests are ordinary output: whoever prints one learns nothing. */
  | { readonly kind: 'done' }

/** Put the output of a starting shell through this until `isDone`; afterwards it passes everything on. */
export class NonceHandover {
  private state: HandoverState = { kind: 'waiting', held: new Uint8Array() }

  constructor(private readonly nonce: string) {}

  get isDone(): boolean {
    return this.state.kind === 'done'
  }

  /** @param chunk - borrowed; the output may be part of it. */
  feed(chunk: Uint8Array): HandoverStep {
    if (this.state.kind === 'done') return { output: chunk }
    const bytes = joinBytes([this.state.held, chunk])
    const at = findRequest(bytes)
    if (at + REQUEST.length <= bytes.length) {
      this.state = { kind: 'done' }
      return {
        output: joinBytes([bytes.subarray(0, at), bytes.subarray(at + REQUEST.length)]),
        reply: `${this.nonce}\n`,
      }
    }
    this.state = { kind: 'waiting', held: new Uint8Array(bytes.subarray(at)) }
    return { output: bytes.subarray(0, at) }
  }
}

/** Where the request begins, or where its beginning at the end of the bytes does, or the end. */
function findRequest(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    if (REQUEST.subarray(0, bytes.length - at).every((byte, i) => bytes[at + i] === byte)) return at
  }
  return bytes.length
}
