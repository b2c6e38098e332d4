/** The AHP token in a file of the user's own, so that pages and clients come back by themselves after a restart. */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { CliError } from '../errors.js'

const MINIMUM_LENGTH = 16
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077

const refuse = (file: string, problem: string) => new CliError('OPTION_INVALID', `--token-file ${file} ${problem}`)

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/** @returns a new token, or nothing when the file is there already. */
function createToken(file: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw refuse(file, `cannot be created: ${(error as Error).message}.`)
  }
  try {
    const token = randomBytes(32).toString('base64url')
    writeSync(descriptor, `${token}\n`)
    return token
  } finally {
    closeSync(descriptor)
  }
}

function readToken(file: string): string {
  let descriptor: number
  try {
    // A pipe would wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw refuse(file, `cannot be read: ${(error as Error).message}.`)
  }
  try {
    // The descriptor's own facts: what is checked is what is read.
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) throw refuse(file, 'is not a regular file.')
    if ((facts.mode & OTHERS) !== 0) throw refuse(file, `can be read by others. Run: chmod 600 ${file}`)
    if (facts.uid !== process.getuid?.()) throw refuse(file, 'belongs to another user.')
    return readFileSync(descriptor, 'utf8').trim()
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The token of a file, which is created with a random one, for the owner alone, when it does not exist.
 * @throws CliError `OPTION_INVALID` when it cannot be used, saying why.
 */
export function loadToken(file: string): string {
  const token = createToken(file) ?? readToken(file)
  if (token.length >= MINIMUM_LENGTH && /^[\w.~-]+$/.test(token)) return token
  throw refuse(
    file,
    `must hold one token: at least ${MINIMUM_LENGTH} of A-Z a-z 0-9 . _ ~ -. Remove it to have one made.`,
  )
}
