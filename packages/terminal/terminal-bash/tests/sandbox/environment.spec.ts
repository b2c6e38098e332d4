/** What a program in a terminal finds in its environment, and what nobody finds anywhere. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildConfinedHouse,
  CONFINEMENTS,
  type ConfinedHouse,
  type ConfinedHouseOptions,
} from '../support/confined-house.js'
import type { Terminal } from '../support/shell-host.js'

useBaseline()

const SECRETS: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'sk-host-1',
  AWS_SECRET_ACCESS_KEY: 'host-2',
  AWS_ACCESS_KEY_ID: 'host-3',
  MY_TOKEN: 'host-4',
  my_token_lower: 'host-5',
  DB_PASSWORD: 'host-6',
  PGPASSWORD: 'host-7',
  DATABASE_URL: 'postgres://me:host-8@db/x',
  GITHUB_PAT: 'host-9',
  SSH_AUTH_SOCK: '/tmp/host-10',
  SESSION_COOKIE: 'host-11',
  npm_config__authToken: 'host-12',
  AGENT_TERMINALS_ANYTHING: 'host-13',
}
const SECRET_VALUES = Object.values(SECRETS)

/** What describes the host's own terminal, and what changes how bash starts. */
const CONFUSING = {
  TMUX: '/tmp/tmux-0/default,1,0',
  COLUMNS: '13',
  PROMPT_COMMAND: 'echo from-the-host',
  PS1: 'host> ',
  BASH_ENV: '/etc/profile',
  OLDPWD: '/',
}
const ORDINARY: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: process.env.HOME ?? '/root',
  LANG: 'C.UTF-8',
  KEYBOARD: 'us',
  TOKENIZER: 'bpe',
  GIT_AUTHOR_NAME: 'me',
}

let host: NodeJS.ProcessEnv
beforeAll(() => {
  host = { ...process.env }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, ORDINARY, SECRETS, CONFUSING)
})
afterAll(() => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, host)
})

const SETTINGS: readonly { readonly name: string; readonly options: ConfinedHouseOptions }[] = [
  ...CONFINEMENTS.map((options) => ({ name: `${options.runner}, ${options.mode}`, options })),
  { name: 'danger-full-access', options: { mode: 'danger-full-access' } as const },
]

async function readEnvironment(terminal: Terminal, command = 'env'): Promise<Record<string, string>> {
  const { viewport } = await terminal.send(command)
  return Object.fromEntries(
    viewport.text
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

describe.each(SETTINGS)('in $name', ({ options }) => {
  let house: ConfinedHouse
  let terminal: Terminal
  beforeAll(async () => {
    house = await buildConfinedHouse(options)
    terminal = await house.open()
  })
  afterAll(() => house.close())

  it('a child has exactly the host’s ordinary variables, the terminal’s, and the clean-up tags', async () => {
    const isConfined = options.mode !== 'danger-full-access'
    const temporary = expect.stringMatching(options.runner === 'bwrap' ? /^\/tmp$/ : /agent-terminals-/)
    expect(await readEnvironment(terminal)).toEqual({
      ...ORDINARY,
      PWD: house.workspace,
      SHLVL: expect.stringMatching(/^\d+$/),
      TERM: 'xterm-256color',
      _: expect.stringContaining('env'),
      AGENT_TERMINALS_HOST: expect.stringMatching(/^[0-9a-f]+_[\d_]+$/),
      AGENT_TERMINALS_TAG: expect.stringMatching(/^[0-9a-f]+$/),
      ...(isConfined ? { TMPDIR: temporary, TMUX_TMPDIR: temporary } : {}),
    })
  })

  it('no secret of the host is in the environment or on the command line of the shell', async () => {
    const { viewport } = await terminal.send('cat /proc/$$/environ /proc/$$/cmdline | tr "\\0" "\\n"')
    expect(viewport.text).toContain('TERM=')
    for (const value of SECRET_VALUES) expect(viewport.text).not.toContain(value)
  })

  it('the nonce of the marks is nowhere that a program of the same user can read', async () => {
    // The listing comes first, so that the question for the nonce cannot be its place.
    await terminal.send(
      'listing=$(mktemp); cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline >> "$listing" 2>/dev/null; ' +
        'find "${TMPDIR:-/tmp}" /dev/shm -user "$(id -un)" -newer /proc/$$ -type f -size -100k ! -path "$listing" -exec cat {} + >> "$listing" 2>/dev/null',
    )
    const nonce = /6973;([0-9a-f]{32});/.exec((await terminal.send(`printf '%q\\n' "$__at_o"`)).viewport.text)?.[1]
    expect(nonce).toHaveLength(32)
    const { viewport } = await terminal.send(
      `grep -c -a TERM= "$listing"; grep -c -a -F ${nonce} "$listing"; rm "$listing"; env | grep -c -F ${nonce}`,
    )
    expect(viewport.text).toMatch(/^[1-9]\d*\n0\n0\n$/)
  })
})

describe('an allow list', () => {
  it('lets in what it names and nothing else', async () => {
    const house = await buildConfinedHouse({ environment: { allow: ['OPENAI_API_KEY', 'AWS_*'], deny: ['KEYBOARD'] } })
    const environment = await readEnvironment(await house.open())
    const secrets = Object.keys(environment).filter((name) => name in SECRETS)
    expect(secrets.sort()).toEqual(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'OPENAI_API_KEY'])
    expect(environment).not.toHaveProperty('KEYBOARD')
    await house.close()
  })
})

describe.each(CONFINEMENTS.filter(({ mode }) => mode === 'workspace-write'))('the host in $runner', ({ runner }) => {
  it('keeps its own environment to itself', async () => {
    const house = await buildConfinedHouse({ runner })
    const terminal = await house.open()
    const own = readFileSync('/proc/self/environ', 'latin1')
    expect(own.length).toBeGreaterThan(0)
    await terminal.send(`cat /proc/${process.pid}/environ > stolen; cat /proc/[0-9]*/environ > all 2>/dev/null`)
    expect(readFileSync(join(house.workspace, 'stolen'), 'latin1')).toBe('')
    expect(readFileSync(join(house.workspace, 'all'), 'latin1')).not.toContain(own.slice(0, 200))
    await house.close()
  })
})
