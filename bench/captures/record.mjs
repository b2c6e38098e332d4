/**
 * Records what real programs print on a terminal, for the differential test of the text model.
 * Run: `node bench/captures/record.mjs [name…]`. Needs the programs of `programs.mjs`; a missing one is reported and left out.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import { ENVIRONMENT, prepare } from './prepare.mjs'
import { PROGRAMS } from './programs.mjs'

const OUTPUT = new URL('../../packages/terminal/terminal-bash/tests/fixtures/captures/', import.meta.url)
const ROWS = 24
const MAX_BYTES = 65_536
const KEY_QUIET_MS = 120
const LIMIT_MS = 60_000

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function record({ run: [file, args], columns = 80, keys = [] }, cwd) {
  const { PATH, HOME, CARGO_HOME, RUSTUP_HOME } = process.env
  const env = {
    PATH,
    HOME: cwd,
    CARGO_HOME: CARGO_HOME ?? join(HOME, '.cargo'),
    RUSTUP_HOME: RUSTUP_HOME ?? join(HOME, '.rustup'),
    ...ENVIRONMENT,
  }
  const pty = spawn(file, args, { cols: columns, rows: ROWS, cwd, env, encoding: null })
  const chunks = []
  let since = 0
  pty.onData((chunk) => {
    chunks.push(Buffer.from(chunk))
    since = Date.now()
  })
  let exited = false
  const exit = new Promise((resolve) =>
    pty.onExit(({ exitCode }) => {
      exited = true
      resolve(exitCode)
    }),
  )
  const limit = setTimeout(() => pty.kill('SIGKILL'), LIMIT_MS)
  let seen = 0
  for (const [text, input] of keys) {
    while (!exited && !Buffer.concat(chunks).subarray(seen).includes(text)) await delay(10)
    while (!exited && Date.now() - since < KEY_QUIET_MS) await delay(10)
    if (exited) break
    seen = Buffer.concat(chunks).length
    pty.write(input)
  }
  const exitCode = await exit
  await delay(200)
  clearTimeout(limit)
  return { bytes: Buffer.concat(chunks).subarray(0, MAX_BYTES), exitCode, columns }
}

const cwd = join(tmpdir(), 'captures')
const wanted = process.argv.slice(2)
mkdirSync(OUTPUT, { recursive: true })
for (const program of PROGRAMS) {
  if (wanted.length > 0 && !wanted.includes(program.name)) continue
  prepare(cwd)
  const { bytes, exitCode, columns } = await record(program, cwd)
  const missing = exitCode === 127 || bytes.length === 0
  console.log(`${missing ? 'missing ' : 'recorded'} ${program.name}: ${bytes.length} bytes, exit code ${exitCode}`)
  if (!missing) writeFileSync(new URL(`${program.name}.${columns}.bin`, OUTPUT), bytes)
}
