import type { SubprocessTerminal, TerminalMember, TerminalSignal } from '../contract.js'
import { SubprocessError } from '../errors.js'
import type { HostEnd } from '../host-end/host-end.js'
import { createInspector, signalForegroundGroup } from '../inspector/index.js'
import { captureIdentity, createTermination } from '../teardown/index.js'
import { readAttributes } from './attributes.js'
import { readWorkingDirectory } from './working-directory.js'

/** What is known of and done to the processes behind a terminal, as opposed to its bytes. */
export interface ProcessSide
  extends Pick<
    SubprocessTerminal,
    'sources' | 'foregroundGroup' | 'inspect' | 'attributes' | 'workingDirectory' | 'signalForeground' | 'terminate'
  > {
  members(beside?: number): Promise<readonly TerminalMember[]>
  /** The top-level process has ended: release what was kept for looking at it. Terminating still works. */
  close(): void
}

export interface ProcessSideOptions {
  readonly platform: string
  readonly arch: string
  readonly pid: number
  readonly ttyPath: string | undefined
  /** Clean-up tag that every process of this terminal carries. */
  readonly tag: string
  /** Include the process in the clean-up at the host's end, until released. */
  readonly guard: HostEnd['guard']
}

export function createProcessSide(options: ProcessSideOptions): ProcessSide {
  const { platform, arch, pid, ttyPath, tag, guard } = options
  const inspector = createInspector({ platform, arch, rootPid: pid, ttyPath })
  const root = captureIdentity(pid)
  const termination = createTermination({ root, tag })
  const release = guard(root)
  return {
    sources: { ...inspector.sources, attributes: inspector.sources.attributes && ttyPath !== undefined },
    foregroundGroup: () => inspector.foregroundGroup(),
    inspect: () => inspector.inspect(),
    attributes: async () => (ttyPath === undefined ? undefined : readAttributes(ttyPath, platform)),
    workingDirectory: () => readWorkingDirectory(pid, platform),
    async signalForeground(signal: TerminalSignal) {
      const outcome = await signalForegroundGroup(inspector, signal)
      if (outcome.kind === 'sent') return { pgid: outcome.pgid }
      throw new SubprocessError(outcome.code, outcome.message)
    },
    members: (beside) => termination.listMembers(beside),
    async terminate(request) {
      const report = await termination.terminate(request)
      release()
      return report
    },
    close() {
      inspector.close()
      // The session's number may soon mean another session; what is left of this one is noted first.
      void termination.noteRootEnd()
      release()
    },
  }
}
