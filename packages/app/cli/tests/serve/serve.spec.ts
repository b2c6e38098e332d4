import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERRUPTED_WORDS, runCli } from '../run-cli.js'
import { knock, signIn, startServing } from './server.js'

useBaseline()

const shipped = fileURLToPath(new URL('../../cordis.yml', import.meta.url))
let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'serve-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('what is printed', () => {
  it('is a link that signs one page in, and an address for AHP clients', async () => {
    const seen: unknown[] = []
    const result = await runCli(['serve'], {
      onOutput(stdout, kill) {
        const [link] = /http:\S+#link=\S+/.exec(stdout) ?? []
        const [address] = /ws:\S+tkn=\S+/.exec(stdout) ?? []
        if (seen.length > 0 || link === undefined || address === undefined) return
        seen.push(link)
        Promise.all([knock(address), knock(address.replace(/\?.*/, '')), knock(`${address}x`), signIn(link)])
          .then((answers) => seen.push(...answers))
          .finally(() => kill('SIGTERM'))
      },
    })
    const token = /tkn=(\S+)/.exec(result.stdout)?.[1]
    expect(seen.slice(1)).toEqual([101, 401, 401, { status: 200, token }])
    expect(result).toMatchObject({ code: 130, stderr: INTERRUPTED_WORDS })
    expect(result.stdout).toBe(
      `Open in a browser:  ${seen[0]}\nFor AHP clients:    ws://127.0.0.1:${new URL(String(seen[0])).port}/?tkn=${token}\n\n` +
        `The link opens one page, once. kill -USR2 ${/USR2 (\d+)/.exec(result.stdout)?.[1]} prints another. Ctrl-C ends everything.\n`,
    )
  })

  it('leads to the page', async () => {
    const server = await startServing()
    const page = await fetch(server.said.link)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<script type="module"')
    await server.stop()
  })

  it('is another link for each SIGUSR2', async () => {
    const server = await startServing()
    expect(await signIn(server.said.link)).toMatchObject({ status: 200, token: server.said.ahp.token })
    expect(await signIn(server.said.link)).toMatchObject({ status: 401, code: 'LINK_USED' })
    server.kill('SIGUSR2')
    await waitUntil('another link is printed', () => server.stdout().split('\n').length === 3)
    const { event, link } = JSON.parse(server.stdout().split('\n')[1] ?? '') as { event: string; link: string }
    expect(event).toBe('link')
    expect(await signIn(link)).toMatchObject({ status: 200 })
    expect(await server.stop()).toBe(130)
  })
})

describe('--token-file', () => {
  it('is made for the owner alone, and lets clients back in after a restart', async () => {
    const file = join(directory, 'token')
    const first = await startServing(['--token-file', file])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(first.said.ahp.token).toBe(readFileSync(file, 'utf8').trim())
    const { port } = new URL(first.said.ahp.url)
    await first.stop()
    const second = await startServing(['--token-file', file, '--port', port])
    expect(second.said.ahp).toEqual(first.said.ahp)
    expect(await signIn(first.said.link)).toMatchObject({ status: 401, code: 'LINK_UNKNOWN' })
    await second.stop()
  })

  it('is named instead of shown', async () => {
    const file = join(directory, 'shown')
    const { stdout } = await runCli(['serve', '--token-file', file], {
      onOutput: (soFar, kill) => soFar.includes('Ctrl-C') && kill('SIGTERM'),
    })
    expect(stdout).toContain(`/  token in ${file}\n`)
    expect(stdout).not.toContain(readFileSync(file, 'utf8').trim())
  })

  it.each([
    ['others can read', 'a-token-of-some-length', 0o640, /can be read by others\. Run: chmod 600 /],
    ['is short', 'short', 0o600, /must hold one token, at least 16/],
    ['holds two lines', 'a-token-of-some-length\nanother-token', 0o600, /must hold one token/],
    ['is empty', '', 0o600, /must hold one token/],
    ['is something else', 'root:x:0:0:root:/root:/bin/sh\n', 0o644, /must hold one token(?!.*chmod)/],
    ['is large', 'a'.repeat(5000), 0o644, /must hold one token(?!.*chmod)/],
  ])('that %s is refused', async (_, text, mode, message) => {
    const file = join(directory, `token-${mode}-${text.length}`)
    writeFileSync(file, text, { mode })
    const result = await runCli(['serve', '--token-file', file])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(message)
  })

  it.each([
    ['a directory', '/', /is not a regular file|cannot be read/],
    ['a file in a directory that is not there', '/ghost/token', /cannot be created: ENOENT/],
  ])('cannot be %s', async (_, file, message) => {
    const result = await runCli(['serve', '--token-file', file])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(message)
  })
})

describe('a start that cannot be', () => {
  it('says that its port is taken, and what to do', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const result = await runCli(['serve', '--port', String(port)])
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/^agent-terminals: .*EADDRINUSE.*Choose another port with --port.*\n$/)
    await new Promise((resolve) => taken.close(resolve))
  })

  it.each([
    [['--host', '0.0.0.0'], 2, /host 0\.0\.0\.0 is not a loopback address/],
    [['--host', '127.0.0.1.5'], 2, /is not a loopback address/],
    [['--port', '99999'], 2, /--port must be a whole number/],
    [['--port', ''], 2, /--port must be a whole number/],
    [['--port', '-1'], 2, /--port must be a whole number/],
    [['--mcp-http', 'a:b:c'], 2, /neither PORT nor HOST/],
    [['--mcp-http', 'foo'], 2, /foo is not a loopback address.*--mcp-http listens on loopback only.*--config/],
    [['--sandbox', 'read-only'], 2, /needs --mcp-http/],
    [['--root', '/ghost'], 2, /--root \/ghost is not an existing directory/],
    [['--config', '/ghost.yml'], 1, /There is no composition at \/ghost\.yml/],
  ])('says why in one line with %j', async (args, code, message) => {
    const result = await runCli(['serve', ...args])
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(message)
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('a composition of one’s own', () => {
  const own = (name: string, ...entries: readonly string[]): string => {
    const file = join(directory, `${name}.yml`)
    const include = `- name: "cordis:include"\n  config:\n    path: ${JSON.stringify(`file://${shipped}`)}\n`
    writeFileSync(file, include + entries.join(''))
    return file
  }
  const HOST = '- name: "@agent-terminals/ahp/host"\n  config:\n    token: a-token-of-my-own\n'

  it('brings its own host', async () => {
    const file = own('host', HOST)
    const server = await startServing(['--config', file])
    expect(server.said.ahp.token).toBe('a-token-of-my-own')
    expect(await knock(`${server.said.ahp.url}?tkn=a-token-of-my-own`)).toBe(101)
    await server.stop()
    const refused = await runCli(['serve', '--config', file, '--port', '0'])
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('leave out --host, --port') })
  })

  it('brings its own viewer and MCP endpoint', async () => {
    const file = own(
      'all',
      HOST,
      '- name: "@agent-terminals/viewer"\n',
      '- name: "@agent-terminals/mcp/http"\n  config:\n    token: another-token-of-my-own\n',
    )
    const server = await startServing(['--config', file])
    expect(server.said.mcp?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect(await signIn(server.said.link)).toMatchObject({ status: 200 })
    await server.stop()
  })

  it.each([
    ['without terminals', '- name: "@agent-terminals/agents"\n', /Add @agent-terminals\/terminal\.$/m],
    [
      'with a host that does not listen',
      `${readFileSync(shipped, 'utf8')}\n- name: "@agent-terminals/ahp/host"\n  config: { listen: false }\n`,
      /The web viewer did not start: The AHP host does not listen\. Set listen: true/,
    ],
  ])('%s is refused', async (_, text, message) => {
    const file = join(directory, 'lacking.yml')
    writeFileSync(file, text)
    const result = await runCli(['serve', '--config', file])
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(message)
  })
})
