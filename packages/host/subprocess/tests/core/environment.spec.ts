import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCredentialName, OWN_PREFIX, scrubEnvironment } from '../../src/core/index.js'

describe('isCredentialName', () => {
  it.each([
    'OPENAI_API_KEY',
    'openai_api_key',
    'ANTHROPIC_AUTH_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SESSION_TOKEN',
    'GITHUB_TOKEN',
    'GH_PAT',
    'NPM_TOKEN',
    'npm_config_//registry.example/:_authToken',
    'PGPASSWORD',
    'PGPASSFILE',
    'MYSQL_PWD',
    'DB_PASS',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'STRIPE_KEY',
    'SSH_AUTH_SOCK',
    'SENTRY_DSN',
    'DATABASE_URL',
    'REDIS_URL',
    'MONGODB_URI',
    'SESSION_COOKIE',
    'KEY',
    'KEY2',
    'VAULT_SECRETS',
    'SIGNING_KEY_V2',
    'AZURE_STORAGE_CONNECTION_STRING',
    'REDIS_CONN_STR',
    'ConnectionStrings__Default',
    'SLACK_WEBHOOK_URL',
    'DISCORD_WEBHOOK',
    'STRIPE_SK',
    'PRIVATE_PEM',
    'PGPASS',
    'DBPASS',
  ])('is true for %s', (name) => {
    expect(isCredentialName(name)).toBe(true)
  })

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'LANG',
    'KEYBOARD_LAYOUT',
    'LESSKEYIN',
    'GIT_AUTHOR_NAME',
    'XAUTHORITY',
    'TOKENIZERS_PARALLELISM',
    'MONKEY_MODE',
    'COMPASS_HOME',
    'PATTERN',
    'DBUS_SESSION_BUS_ADDRESS',
    'HTTP_PROXY',
    'PIP_INDEX_URL',
    'XDG_SESSION_ID',
    'COMPASS',
    'BYPASS_CACHE',
    'DISK_SIZE',
    'TASK_ID',
    'PEMBROKE_HOME',
    'CONNECTION_TIMEOUT',
    'CONNECTION_STRATEGY',
  ])('is false for %s', (name) => {
    expect(isCredentialName(name)).toBe(false)
  })
})

describe('scrubEnvironment', () => {
  const none = { allow: [], deny: [] }

  it('removes credentials, what describes another terminal, and variables of ours', () => {
    const host = {
      HOME: '/home/me',
      OPENAI_API_KEY: 'x',
      TMUX: '/tmp/tmux',
      STY: '1',
      COLUMNS: '80',
      NODE_CHANNEL_FD: '3',
      TERM_PROGRAM: 'vscode',
      [`${OWN_PREFIX}TAG`]: 'x',
      UNSET: undefined,
    }
    expect(scrubEnvironment(host, none)).toEqual({ HOME: '/home/me' })
  })

  it('keeps what is allowed, by name or prefix', () => {
    const host = { OPENAI_API_KEY: 'x', MY_APP_KEY: 'y', MY_APP_TOKEN: 'z', TMUX: 't', OTHER_KEY: 'o' }
    expect(scrubEnvironment(host, { allow: ['OPENAI_API_KEY', 'MY_APP_*', 'TMUX'], deny: [] })).toEqual({
      OPENAI_API_KEY: 'x',
      MY_APP_KEY: 'y',
      MY_APP_TOKEN: 'z',
      TMUX: 't',
    })
  })

  it('removes what is denied even where a prefix allows it', () => {
    const host = { MY_APP_KEY: 'y', MY_APP_TOKEN: 'z', HOME: '/' }
    expect(scrubEnvironment(host, { allow: ['MY_APP_*'], deny: ['MY_APP_TOKEN', 'HOM*'] })).toEqual({ MY_APP_KEY: 'y' })
  })

  it('never passes a variable of ours, whatever the rules', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (rest, allow) => {
        const host = { [OWN_PREFIX + rest]: 'x' }
        expect(scrubEnvironment(host, { allow: [...allow, `${OWN_PREFIX}*`], deny: [] })).toEqual({})
      }),
    )
  })

  it.each([
    ['http_proxy', 'http://me:secret@proxy.example:3128/', 'http://proxy.example:3128/'],
    ['HTTPS_PROXY', 'me:secret@proxy.example:3128', 'proxy.example:3128'],
    ['ALL_PROXY', 'socks5h://me:se@cret@proxy.example', 'socks5h://proxy.example'],
    ['HTTP_PROXY', 'http://:secret@proxy.example', 'http://proxy.example'],
    ['PIP_INDEX_URL', 'https://me:secret@pypi.example/simple', 'https://pypi.example/simple'],
    ['MIRRORS', 'https://a:b@one.example,https://c:d@two.example', 'https://one.example,https://two.example'],
  ])('takes the login out of %s=%s', (name, value, stripped) => {
    expect(scrubEnvironment({ [name]: value }, none)).toEqual({ [name]: stripped })
  })

  it.each([
    ['http_proxy', 'http://proxy.example:3128/'],
    ['no_proxy', 'localhost,127.0.0.1,[::1]:80'],
    ['REMOTE', 'ssh://git@host.example:22/a:b@c'],
    ['REMOTE', 'git@host.example:team/project.git'],
    ['EMAIL', 'me@mail.example'],
    ['HOMEPAGE', 'https://host.example/@me:1@2'],
    ['NOTE', 'a:b@c'],
  ])('leaves %s=%s as it is', (name, value) => {
    expect(scrubEnvironment({ [name]: value }, none)).toEqual({ [name]: value })
  })

  it('keeps the login of an address whose variable is allowed by name', () => {
    const host = { http_proxy: 'http://me:secret@proxy.example' }
    expect(scrubEnvironment(host, { allow: ['http_proxy'], deny: [] })).toEqual(host)
  })

  it('never changes a value without an address and never invents a name', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (host) => {
        for (const [name, value] of Object.entries(scrubEnvironment(host, none))) {
          expect(host).toHaveProperty([name])
          if (!value.includes('@') && !host[name]?.includes('@')) expect(value).toBe(host[name])
        }
      }),
    )
  })
})
