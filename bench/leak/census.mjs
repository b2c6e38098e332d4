/** What this process holds of the machine, counted from outside of the code that should have let go of it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

function readLinks(directory) {
  return readdirSync(directory).flatMap((name) => {
    try {
      return [readlinkSync(`${directory}/${name}`)]
    } catch {
      // The descriptor of this very listing.
      return []
    }
  })
}

function readProcesses() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(name), state, parentPid: Number(parentPid) }]
    } catch {
      return []
    }
  })
}

function hasTag(pid, tag) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(tag)
  } catch {
    return false
  }
}

/** @returns nothing for a process that has gone or has another user. */
function readLinksOf(pid) {
  try {
    return readLinks(`/proc/${pid}/fd`)
  } catch {
    return []
  }
}

const isMaster = (link) => link.endsWith('/ptmx')

/** @param tag - value that everything started by the service carries, wherever it has gone. */
export function takeCensus(tag) {
  const processes = readProcesses()
  const children = processes.filter(({ parentPid }) => parentPid === process.pid)
  const tagged = processes.filter(({ pid, parentPid }) => parentPid !== process.pid && hasTag(pid, tag))
  const links = readLinks('/proc/self/fd')
  const inherited = [...children, ...tagged].flatMap(({ pid }) => readLinksOf(pid))
  const events = process.eventNames().map((name) => process.listenerCount(name))
  return {
    descriptors: links.length,
    'terminals held': links.filter(isMaster).length,
    // A master in another hand keeps the device, although this process has let go of it.
    'terminals held by its processes': inherited.filter(isMaster).length,
    processes: children.filter(({ state }) => state !== 'Z').length + tagged.length,
    zombies: children.filter(({ state }) => state === 'Z').length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    'process listeners': events.reduce((sum, count) => sum + count, 0),
  }
}

/** The least of several counts taken over a while: other programs of the machine come and go. */
export async function takeQuietCensus(tag, rounds = 30) {
  const least = takeCensus(tag)
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (const [name, count] of Object.entries(takeCensus(tag))) least[name] = Math.min(least[name], count)
  }
  return least
}

/** Bytes that survive a collection. Needs `--expose-gc`. */
export async function measureHeap() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
