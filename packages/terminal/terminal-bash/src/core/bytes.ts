/** The parts as one. Where at most one of them holds anything the result is that part itself: borrowed if the part is. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let only: Uint8Array = new Uint8Array(0)
  let total = 0
  for (const part of parts) {
    if (part.length === 0) continue
    only = part
    total += part.length
  }
  if (only.length === total) return only
  const whole = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
