/** The root reducer. Sheet §9.2. */
import type { RootAction } from './actions.js'
import type { RootState } from './shapes.js'

/** Apply one action. An action without effect, or of an unknown type, gives the very same object. */
export function reduceRoot(state: RootState, action: RootAction): RootState {
  switch (action.type) {
    case 'root/terminalsChanged':
      return { ...state, terminals: action.terminals }
    case 'root/agentsChanged':
      return { ...state, agents: action.agents }
    case 'root/activeSessionsChanged':
      return { ...state, activeSessions: action.activeSessions }
    case 'root/configChanged': {
      if (!state.config) return state
      const values = action.replace === true ? action.config : { ...state.config.values, ...action.config }
      return { ...state, config: { ...state.config, values } }
    }
    default:
      return state
  }
}
