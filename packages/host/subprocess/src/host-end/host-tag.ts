/**
 * The text of a host's tag. Random, so that nothing else can match; and it says which process the host is, so that what carries
 * it can be told left behind once that process has gone.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { parseProcStat } from '../inspector/parse-stat.js'

/** The host that a tag names. */
export interface TaggedHost {
  readonly pid: number
  /** Start time as in `ProcessIdentity`; `undefined` where it was not to be had: then a process with the pid counts as the host. */
  readonly startTime: string | undefined
  /** Number of the pid namespace in which the pid means the host, pid_namespaces(7); `undefined` where there are none. */
  readonly namespace: string | undefined
}

const FORM = /^[0-9a-f]{32}_(\d+)_(\d*)_(\d*)$/

export function renderHostTag({ pid, startTime, namespace }: TaggedHost, random: string): string {
  return [random, pid, startTime ?? '', namespace ?? ''].join('_')
}

/** @returns `undefined` for text that is no tag of ours. */
export function parseHostTag(text: string): TaggedHost | undefined {
  const [, pid, startTime, namespace] = FORM.exec(text) ?? []
  if (pid === undefined) return undefined
  return { pid: Number(pid), startTime: startTime || undefined, namespace: namespace || undefined }
}

/** The number of this process's pid namespace: the link reads `pid:[4026531836]`. */
export function readOwnNamespace(): string | undefined {
  return attempt(() => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0])
}

/** A tag for this process. */
export function createHostTag(): string {
  const startTime = attempt(() => parseProcStat(readFileSync('/proc/self/stat', 'latin1'))?.startTime)
  return renderHostTag({ pid: process.pid, startTime, namespace: readOwnNamespace() }, randomBytes(16).toString('hex'))
}

/** Without procfs there is nothing to read. */
function attempt<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
