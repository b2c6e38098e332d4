/** A word on standard error while something takes long, for a person at a terminal only. */

/** What takes less is not worth a word. */
const NOTICEABLE_MS = 400
const CLEAR_LINE = '\r\u001b[K'

export async function withProgress<T>(text: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work
  let isShown = false
  const timer = setTimeout(() => {
    isShown = true
    process.stderr.write(`${text} …`)
  }, NOTICEABLE_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (isShown) process.stderr.write(CLEAR_LINE)
  }
}
