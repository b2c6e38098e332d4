/** Which variables of the host a child may see. The one definition of the scrub; seed, "Security and process boundary". */

/** Variables of ours, never passed on. */
export const OWN_PREFIX = 'AGENT_TERMINALS_'

/** Parts that name a credential wherever they stand in a name: `OPENAI_TOKEN`, `PGPASSWORD`, `npm_config__authToken`. */
const CREDENTIAL_PART =
  /TOKEN(?!IZ)|SECRET|PASSWORD|PASSWD|PASSFILE|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i

/** Words that name a credential only when they stand alone, so that `KEYBOARD`, `GIT_AUTHOR_NAME` and `PATH` pass. */
const CREDENTIAL_WORD = /(?:^|[^a-z])(?:KEYS?|PASS|PAT|PWD|AUTH|COOKIES?|DSN|BEARER|JWT|OTP)(?:$|[^a-z])/i

/** Addresses that customarily carry a user and a password. */
const CREDENTIAL_ADDRESS =
  /(?:DATABASE|POSTGRES(?:QL)?|MYSQL|REDIS|MONGO(?:DB)?|AMQP|RABBITMQ|BROKER|DB)_?(?:URL|URI)$/i

/** `PWD` and `OLDPWD` are directories, not passwords. */
const DIRECTORY_NAMES: ReadonlySet<string> = new Set(['PWD', 'OLDPWD'])

/** What describes the terminal, multiplexer or parent process of the host: wrong for a child on a terminal of its own. */
const CONFUSING = new Set([
  'COLORTERM',
  'COLUMNS',
  'INSIDE_EMACS',
  'LINES',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'OLDPWD',
  'PROMPT_COMMAND',
  'STY',
  'TERMCAP',
  'TMUX',
  'TMUX_PANE',
  'VTE_VERSION',
  'WINDOW',
  'WINDOWID',
  'WT_SESSION',
])
const CONFUSING_PREFIX =
  /^(?:TERM_PROGRAM|TERM_SESSION|ZELLIJ|KITTY_|WEZTERM_|ITERM_|KONSOLE_|ALACRITTY_|GHOSTTY_|VSCODE_)/

export interface EnvironmentRules {
  /** Names kept although they look like credentials. A trailing `*` stands for any rest. */
  readonly allow: readonly string[]
  /** Names removed in addition. A trailing `*` stands for any rest. */
  readonly deny: readonly string[]
}

/** Whether a rule (`NAME` or `PREFIX*`) names the variable. */
export function matchesName(rule: string, name: string): boolean {
  return rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : rule === name
}

/** Whether a variable's name looks as if its value gave access to something. */
export function isCredentialName(name: string): boolean {
  if (DIRECTORY_NAMES.has(name)) return false
  return CREDENTIAL_PART.test(name) || CREDENTIAL_WORD.test(name) || CREDENTIAL_ADDRESS.test(name)
}

function isKept(name: string, rules: EnvironmentRules): boolean {
  if (name.startsWith(OWN_PREFIX)) return false
  if (rules.deny.some((rule) => matchesName(rule, name))) return false
  if (rules.allow.some((rule) => matchesName(rule, name))) return true
  return !isCredentialName(name) && !CONFUSING.has(name) && !CONFUSING_PREFIX.test(name)
}

/** A fresh environment with only what a child may see. `deny` wins over `allow`; our own variables never pass. */
export function scrubEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  rules: EnvironmentRules,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && isKept(name, rules)) kept[name] = value
  }
  return kept
}
