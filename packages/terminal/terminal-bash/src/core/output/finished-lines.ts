/** Whole lines out of bytes that come in any split, for whoever follows a send while it runs. */
import { joinBytes } from '../bytes.js'
import { decodeUtf8 } from './utf8.js'

const LF = 0x0a

export class FinishedLines {
  /** Parts of the line that has not ended. */
  private open: Uint8Array[] = []

  constructor(private readonly listener: (text: string) => void) {}

  /** @param bytes - borrowed; line ends are CR LF. */
  append(bytes: Uint8Array): void {
    const end = bytes.lastIndexOf(LF) + 1
    if (end > 0) {
      const text = decodeUtf8(joinBytes([...this.open, bytes.subarray(0, end)]))
      this.open = []
      this.listener(text.replaceAll('\r\n', '\n'))
    }
    if (end < bytes.length) this.open.push(bytes.slice(end))
  }
}
