export { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, nextPauseMs } from './back-off.js'
export { type EnvironmentRules, isCredentialName, matchesName, OWN_PREFIX, scrubEnvironment } from './environment.js'
export { explainPtyFailure, type PtyFacts } from './pty-failure.js'
export { parseSttySettings, type SttySettings } from './stty-settings.js'
