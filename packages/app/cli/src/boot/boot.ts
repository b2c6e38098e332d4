/** Start a composition and prove that all of it started. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import { type Entry, Loader } from '@deepseek-ai/cordis-plugin-loader'
import { CliError } from '../errors.js'
import { ConfigFile } from './config-file.js'
import { collectLogs } from './logs.js'

export interface BootOptions {
  /** Path of the composition file. */
  readonly configFile: string
  /** Changes to its entries by id, applied before anything starts. */
  readonly patches?: readonly PatchOptions[]
  /** Also print what plugins log, to standard error. */
  readonly isVerbose?: boolean
  /** Aborting ends the start, and what has been started. */
  readonly signal?: AbortSignal
}

export interface Composition {
  readonly ctx: Context
  /** End everything, newest first, awaited. Idempotent. */
  dispose(): Promise<void>
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Why the module of an entry could not be imported. Only the loader's log would tell otherwise. */
function importErrorOf({ parent, options }: Entry): unknown {
  return parent.tree instanceof ConfigFile ? parent.tree.importErrors.get(options.name) : undefined
}

/** @returns why the entry does not run, or nothing when it does. */
async function findProblem(entry: Entry): Promise<string | undefined> {
  const { name } = entry.options
  if (entry.disabled || name.startsWith('cordis:')) return
  if (!entry.fiber) return `${name}: cannot be loaded: ${describeError(importErrorOf(entry) ?? 'no reason given')}`
  try {
    await entry.fiber.await()
  } catch (error) {
    return `${name}: ${describeError(error)}`
  }
  const missing = Object.keys(entry.fiber.inject).filter((service) => entry.ctx.get(service) === undefined)
  if (missing.length === 0) return
  return `${name}: waits for ${missing.map((service) => `ctx.${service}`).join(', ')}; add a plugin that provides it`
}

function resolveConfigFile(configFile: string): string {
  const path = resolve(configFile)
  if (existsSync(path)) return path
  throw new CliError('CONFIG_MISSING', `There is no composition at ${path}. Name one with --config FILE.`)
}

async function mountFile(ctx: Context, path: string, patches: readonly PatchOptions[]): Promise<ConfigFile> {
  ctx.loader.builtins['config-file'] = ConfigFile
  // Overlays: a composition may include another and patch it.
  ctx.loader.builtins.include = ConfigFile
  const id = await ctx.loader.create({
    name: 'cordis:config-file',
    config: { path: pathToFileURL(path).href, patches: [...patches] },
  })
  const entry = ctx.loader.resolve(id)
  try {
    await entry.fiber?.await()
    await ctx.loader.await()
  } catch (error) {
    throw new CliError('CONFIG_INVALID', `${path} cannot be read: ${describeError(error)}`, { cause: error })
  }
  return entry.subtree as ConfigFile
}

/** A patch for an entry that is not there would change nothing, in silence. */
function checkPatches(tree: ConfigFile, path: string, patches: readonly PatchOptions[]): void {
  // Patches reach the file itself, not what it includes.
  const ids = new Set(Object.values(tree.store).map((entry) => entry.options.id))
  const missing = patches.flatMap(({ id }) => (id === undefined || ids.has(id) ? [] : [id]))
  if (missing.length === 0) return
  throw new CliError(
    'CONFIG_INVALID',
    `${path} has no entry with the id ${missing.join(', ')}, which this command configures.`,
  )
}

/** The work, or the abort's reason when that comes first. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** @throws CliError `BOOT_FAILED` naming every plugin at fault. */
async function startAll(ctx: Context, path: string, patches: readonly PatchOptions[]): Promise<void> {
  await ctx.plugin(Loader)
  const tree = await mountFile(ctx, path, patches)
  checkPatches(tree, path, patches)
  const found = await Promise.all([...tree.entries()].map((entry) => findProblem(entry)))
  const problems = found.filter((problem) => problem !== undefined)
  if (problems.length === 0) return
  throw new CliError('BOOT_FAILED', `${path} did not start:\n${problems.map((each) => `  ${each}`).join('\n')}`)
}

/**
 * @throws CliError `CONFIG_MISSING`, `CONFIG_INVALID`, or `BOOT_FAILED` naming every plugin and field at fault; the reason of
 * the signal when it aborts. Nothing of the composition is left running then.
 */
export async function bootComposition(options: BootOptions): Promise<Composition> {
  const path = resolveConfigFile(options.configFile)
  const ctx = new Context()
  ctx.baseUrl = `${pathToFileURL(dirname(path)).href}/`
  collectLogs(ctx, options.isVerbose ?? false)
  const dispose = async () => {
    await ctx.fiber.dispose()
  }
  try {
    await orAborted(startAll(ctx, path, options.patches ?? []), options.signal)
    return { ctx, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}
