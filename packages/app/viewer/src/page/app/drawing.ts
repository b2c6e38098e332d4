/** When the page is drawn: behind the turn that changed something, so that no change comes in the middle of a drawing. */

export interface Drawing {
  request(): void
  /** Sets what draws, and draws. */
  start(draw: () => void): void
  /** Runs behind the next drawing, or soon when there is nothing to draw. */
  after(run: () => void): void
}

export function createDrawing(): Drawing {
  let draw: (() => void) | undefined
  let isRequested = false
  return {
    request() {
      if (isRequested) return
      isRequested = true
      queueMicrotask(() => {
        isRequested = false
        draw?.()
      })
    },
    start(run) {
      draw = run
      draw()
    },
    after: (run) => queueMicrotask(run),
  }
}
