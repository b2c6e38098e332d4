/** What a person typed or pasted, on its way to the host. */

/** In pieces that a host takes (it refuses more than 65 536 units at once by default), none inside a surrogate pair. */
export function splitInput(data: string, maxUnits: number): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < data.length; ) {
    const end = findEnd(data, Math.min(start + maxUnits, data.length))
    pieces.push(data.slice(start, end))
    start = end
  }
  return pieces
}

function findEnd(data: string, end: number): number {
  const unit = data.charCodeAt(end - 1)
  return end < data.length && unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end
}
