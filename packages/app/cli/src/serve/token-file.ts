/** The AHP token in a file of the user's own, so that pages and clients come back by themselves after a restart. */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { CliError } from '../errors.js'

const MINIMUM_LENGTH = 16
/** A file beyond is something else, and is not read. */
const MAXIMUM_BYTES = 4096
const HOLDS_NO_TOKEN = `must hold one token, at least ${MINIMUM_LENGTH} of A-Z a-z 0-9 . _ ~ -, and nothing else. Name a file that is not there yet to have one made.`

const isToken = (text: string) => text.length >= MINIMUM_LENGTH && /^[\w.~-]+$/.test(text)

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
    if (facts.uid !== process.getuid?.()) throw refuse(file, 'belongs to another user. Name a file of your own.')
    if (facts.size > MAXIMUM_BYTES) throw refuse(file, HOLDS_NO_TOKEN)
    const token = readFileSync(descriptor, 'utf8').trim()
    // Before the permissions: nobody is told to change the permissions of a file that is something else.
    if (!isToken(token)) throw refuse(file, HOLDS_NO_TOKEN)
    if ((facts.mode & OTHERS) !== 0) throw refuse(file, `can be read by others. Run: chmod 600 ${file}`)
    return token
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The token of a file, which is created with a random one, for the owner alone, when it does not exist.
 * @throws CliError `OPTION_INVALID` when it cannot be used, saying why.
 */
export function loadToken(file: string): string {
  return createToken(file) ?? readToken(file)
}
