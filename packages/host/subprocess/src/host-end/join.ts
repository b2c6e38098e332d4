import type { ProcessIdentity } from '../contract.js'
import { identityKey } from '../teardown/membership.js'
import { sweepAtExit } from './exit-sweep.js'
import { HOST_TAG_VARIABLE, type HostEnd } from './host-end.js'
import { createHostTag } from './host-tag.js'
import { startWatcher, type Watcher } from './watcher.js'

/** One per host process: every service of the host shares the tag, the watcher and the sweep at exit. */
const HOST_TAG = createHostTag()
const ENTRY = `${HOST_TAG_VARIABLE}=${HOST_TAG}`
const members = new Set<symbol>()
const guarded = new Map<string, ProcessIdentity>()
let watcher: Watcher | undefined

/** Join the clean-up at the host's end. The service leaves it with `close()`. */
export function joinHostEnd(): HostEnd {
  const member = Symbol('host end')
  const mine = new Set<() => void>()
  members.add(member)
  return {
    tag: HOST_TAG,
    guard(root) {
      const key = identityKey(root)
      guarded.set(key, root)
      if (guarded.size === 1) process.on('exit', handleExit)
      wakeWatcher().addSession(root.pid)
      const release = () => {
        if (!mine.delete(release)) return
        guarded.delete(key)
        if (guarded.size === 0) process.off('exit', handleExit)
        watcher?.forgetSession(root.pid)
      }
      mine.add(release)
      return release
    },
    async close() {
      for (const release of [...mine]) release()
      members.delete(member)
      if (members.size > 0) return
      const dismissed = watcher
      watcher = undefined
      await dismissed?.stop()
    },
  }
}

/** The watcher, started for the first terminal and again if something has ended it. */
function wakeWatcher(): Watcher {
  if (watcher?.isAlive) return watcher
  watcher = startWatcher(ENTRY)
  for (const root of guarded.values()) watcher.addSession(root.pid)
  return watcher
}

function handleExit(): void {
  sweepAtExit([...guarded.values()], ENTRY)
}
