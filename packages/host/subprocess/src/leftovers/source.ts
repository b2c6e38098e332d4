import type { ProcessIdentity } from '../contract.js'
import type { TaggedHost } from '../host-end/host-tag.js'

/** A live process that carries the tag of a host. */
export interface TaggedProcess extends ProcessIdentity {
  /** Its command line. */
  readonly command: string
  /** Value of `AGENT_TERMINALS_HOST`. */
  readonly hostTag: string
  /** Value of `AGENT_TERMINALS_TAG`: which terminal it belongs to. */
  readonly sessionTag: string | undefined
}

/** Whether a host still runs; `unknown` when its pid means nothing here. */
export type HostLife = 'alive' | 'gone' | 'unknown'

/** The machine as the search for leftovers sees it. Injected in tests. */
export interface LeftoverSource {
  /** The user's processes that carry a tag, as far as their environment can be read. */
  listTagged(): Promise<readonly TaggedProcess[]>
  /** This process and its ancestors. */
  listOwnLine(): Promise<ReadonlySet<number>>
  judgeHost(host: TaggedHost): Promise<HostLife>
}
