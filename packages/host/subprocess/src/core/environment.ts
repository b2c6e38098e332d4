/** Which variables of the host a child may see. The one definition of the scrub; seed, "Security and process boundary". */

/** Variables of ours, never passed on. */
export const OWN_PREFIX = 'AGENT_TERMINALS_'

/** Parts that name a credential wherever they stand in a name: `OPENAI_TOKEN`, `PGPASSWORD`, `npm_config__authToken`. */
const CREDENTIAL_PART =
  /TOKEN(?!IZ)|SECRET|PASSWORD|PASSWD|PASSFILE|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CONN(?:ECTION)?_?STR(?:ING)?S?(?![a-z])|WEB_?HOOK/i

/** Words that name a credential only when they stand alone, so that `KEYBOARD`, `GIT_AUTHOR_NAME` and `PATH` pass. */
const CREDENTIAL_WORD =
  /(?:^|[^a-z])(?:KEYS?|(?:PG|DB|SSH|SMTP|FTP)?PASS|PAT|PWD|AUTH|COOKIES?|DSN|BEARER|JWT|OTP|SK|PEM)(?:$|[^a-z])/i

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

function isAllowed(name: string, { allow }: EnvironmentRules): boolean {
  return allow.some((rule) => matchesName(rule, name))
}

function isKept(name: string, rules: EnvironmentRules): boolean {
  if (name.startsWith(OWN_PREFIX)) return false
  if (rules.deny.some((rule) => matchesName(rule, name))) return false
  if (isAllowed(name, rules)) return true
  return !isCredentialName(name) && !CONFUSING.has(name) && !CONFUSING_PREFIX.test(name)
}

/**
 * The part of an address (RFC 3986) that holds a password: from its scheme's `//` to the last `@` before the path. A user without
 * a password (`ssh://git@host`) is a name, not a secret. Proxies are also written without a scheme.
 */
const URL_LOGIN = /([a-z][a-z\d+.-]*:\/\/)[^\s/?#:@]*:[^\s/?#]*@/gi
const BARE_LOGIN = /^[^\s/?#:@]*:[^\s/?#]*@/
const PROXY_NAME = /(?:^|_)PROXY$/i

/**
 * The value without users and passwords of addresses in it. The variable stays: a proxy that asks for a login fails with its own
 * clear answer, while without the variable a program would try to go around the proxy.
 */
export function stripLogins(name: string, value: string): string {
  const stripped = value.includes('@') ? value.replace(URL_LOGIN, '$1') : value
  return PROXY_NAME.test(name) ? stripped.replace(BARE_LOGIN, '') : stripped
}

/**
 * A fresh environment with only what a child may see. `deny` wins over `allow`; our own variables never pass. Addresses lose their
 * login unless `allow` names the variable.
 */
export function scrubEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  rules: EnvironmentRules,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || !isKept(name, rules)) continue
    kept[name] = isAllowed(name, rules) ? value : stripLogins(name, value)
  }
  return kept
}
