/** Holds the state; everything that changes it is an event. */
import type { ViewerState } from '../core/state.js'
import { step, type ViewerEvent } from '../core/step.js'

export interface Store {
  readonly state: ViewerState
  dispatch(event: ViewerEvent): void
  /** @returns a release. */
  onChange(listener: (state: ViewerState, before: ViewerState) => void): () => void
}

export function createStore(initial: ViewerState): Store {
  let state = initial
  const listeners = new Set<(state: ViewerState, before: ViewerState) => void>()
  return {
    get state() {
      return state
    },
    dispatch(event) {
      const before = state
      state = step(before, event)
      if (state === before) return
      for (const listener of [...listeners]) listener(state, before)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
