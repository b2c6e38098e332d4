// `npm run screenshots`: the states of the viewer that docs/ and the README show, from a real `serve`, real programs and an
// MCP client that stands for the agent. What differs from run to run is names of sessions and durations.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './packages.mjs'

/** Libraries of the packages that use them. */
const from = (folder, name) => createRequire(join(root, 'packages', folder, 'package.json'))(name)
const { chromium } = from('app/viewer', 'playwright-core')
const { Client } = from('app/cli', '@modelcontextprotocol/sdk/client/index.js')
const { StreamableHTTPClientTransport } = from('app/cli', '@modelcontextprotocol/sdk/client/streamableHttp.js')

const IMAGES = join(root, 'docs/images')
const MAX_BYTES = 120 * 1024
const DESK = { width: 1120, height: 640 }
const PHONE = { width: 390, height: 700 }

function createProject(home) {
  const project = join(home, 'shop')
  mkdirSync(join(project, 'test'), { recursive: true })
  writeFileSync(
    join(project, 'cart.mjs'),
    'export const total = (items) => items.reduce((sum, { price, count }) => sum + price * count, 0)\n',
  )
  writeFileSync(
    join(project, 'test/cart.test.mjs'),
    [
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      "import { total } from '../cart.mjs'",
      "test('an empty cart costs nothing', () => assert.equal(total([]), 0))",
      "test('prices are multiplied by counts', () => assert.equal(total([{ price: 5, count: 3 }]), 15))",
      "test('a discount is taken off', () => assert.equal(total([{ price: 5, count: 3, discount: 1 }]), 12))",
      '',
    ].join('\n'),
  )
  writeFileSync(
    join(project, 'deploy.sh'),
    '#!/bin/sh\nfor step in "building image" "pushing layers" "running migrations" "waiting for health checks"; do\n' +
      '  printf "\\033[34m==>\\033[0m %s\\n" "$step"; sleep 0.4\ndone\n' +
      'exec sleep 60\n',
  )
  execFileSync('chmod', ['+x', join(project, 'deploy.sh')])
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: project,
      stdio: 'ignore',
    })
  git('init', '-q', '-b', 'main')
  git('add', 'cart.mjs')
  git('commit', '-qm', 'cart: the total of a cart')
  git('add', '.')
  git('commit', '-qm', 'tests: discounts, which do not work yet')
  return project
}

function startServe(project) {
  const bin = join(root, 'packages/app/cli/bin/agent-terminals.js')
  const args = [bin, 'serve', '--json', '--mcp-http', '--sandbox', 'danger-full-access', '--root', project]
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: join(project, '..') },
  })
}

async function connectAgent({ url, token }) {
  const client = new Client({ name: 'screenshots', version: '1.0.0' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 60_000 })
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return result.structuredContent
  }
  return {
    close: () => client.close(),
    async open(name) {
      const { sessionId } = await call('terminal_open', { type: 'shell', name })
      return (text, more = {}) => call('terminal_send', { sessionId, text, ...more })
    },
  }
}

async function openPage(browser, link, { viewport, colorScheme }) {
  const context = await browser.newContext({ viewport, colorScheme })
  const page = await context.newPage()
  await page.goto(link)
  await page.locator('.row').first().waitFor()
  return page
}

const shown = (page, text) => page.locator('.xterm-rows').filter({ hasText: text }).waitFor()
const banner = (page, text) => page.locator('.banner').filter({ hasText: text }).waitFor()

async function select(page, name) {
  await page.locator('.row').filter({ hasText: name }).click()
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

async function shoot(page, name) {
  const path = join(IMAGES, `${name}.png`)
  // What breathes is drawn at rest.
  await page.screenshot({ path, animations: 'disabled', caret: 'initial' })
  const { size } = statSync(path)
  console.log(`${name}.png  ${Math.round(size / 1024)} KiB`)
  if (size > MAX_BYTES)
    throw new Error(`${name}.png has ${size} bytes; at most ${MAX_BYTES} are wanted in the repository`)
}

/** The agent works, a person looks on, takes over, types, searches, and looks again on a phone. */
async function play(browser, agent, createLink) {
  const git = await agent.open('git')
  await git('git log --oneline --stat --color')
  await git('git push')
  const python = await agent.open('python')
  await python('python3 -q')
  await python('sum(n * n for n in range(100))')
  const tests = await agent.open('tests')
  await tests('ls -l --color')
  await tests('node --test')

  const dark = await openPage(browser, await createLink(), { viewport: DESK, colorScheme: 'dark' })
  const light = await openPage(browser, await createLink(), { viewport: DESK, colorScheme: 'light' })
  for (const page of [dark, light]) await select(page, 'tests')
  const deploying = tests('./deploy.sh', { timeoutMs: 60_000 })
  for (const page of [dark, light]) {
    await shown(page, 'waiting for health checks')
    await banner(page, 'is running a command')
  }
  await shoot(dark, 'viewer-agent-working')

  const phone = await openPage(browser, await createLink(), { viewport: PHONE, colorScheme: 'dark' })
  await phone.locator('.row').filter({ hasText: 'Agent at work' }).waitFor()
  await shoot(phone, 'viewer-phone')

  await light.getByRole('button', { name: 'Take over' }).click()
  await banner(light, 'You have the keyboard')
  await deploying
  await light.keyboard.press('Control+C')
  await light.keyboard.type('git diff HEAD~1 --stat')
  await light.keyboard.press('Enter')
  await shown(light, 'files changed')
  await shoot(light, 'viewer-you-have-the-keyboard')

  await select(dark, 'git')
  await dark.getByRole('button', { name: 'Search' }).click()
  await dark.keyboard.type('cart')
  await dark.locator('.find-count').filter({ hasText: /of/ }).waitFor()
  await shoot(dark, 'viewer-search')
}

const home = realpathSync(mkdtempSync(join(tmpdir(), 'viewer-')))
const serve = startServe(createProject(home))
const lines = createInterface({ input: serve.stdout })[Symbol.asyncIterator]()
const ended = new Promise((resolve) => serve.once('exit', resolve))
const readEvent = async () => JSON.parse((await lines.next()).value)
let browser
try {
  mkdirSync(IMAGES, { recursive: true })
  const serving = await readEvent()
  let unused = serving.link
  const createLink = async () => {
    if (unused !== undefined) {
      const link = unused
      unused = undefined
      return link
    }
    serve.kill('SIGUSR2')
    return (await readEvent()).link
  }
  browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const agent = await connectAgent(serving.mcp)
  await play(browser, agent, createLink)
  await agent.close()
} finally {
  await browser?.close()
  serve.kill('SIGTERM')
  await ended
  rmSync(home, { recursive: true, force: true })
}
