/** What was found out after the system refused to start a process on a new PTY. */
export interface PtyFacts {
  readonly device: string
  /** Error code of opening the device just now (`ENOSPC`, `EMFILE`, `EACCES`, `ENOENT` …); `ENOTTY` when it is no PTY multiplexer; `undefined` when it opens. */
  readonly deviceErrorCode: string | undefined
  /** PTYs in use on this machine and the most there can be, where the kernel tells (pty(7)). */
  readonly usedPtys: number | undefined
  readonly maxPtys: number | undefined
}

const ADVICE: Readonly<Record<string, (facts: PtyFacts) => string>> = {
  ENOSPC: (facts) =>
    `all PTYs are in use${renderUse(facts)}. Close terminals, or raise the limit (kernel.pty.max, max= of the devpts mount).`,
  EMFILE: () => 'this process has as many files open as it may have. Close terminals, or raise `ulimit -n`.',
  ENFILE: () => 'the system has as many files open as it may have. Close programs, or raise fs.file-max.',
  EACCES: () => 'access is denied. Allow read and write access to the device in the policy that confines this process.',
  EPERM: () => 'access is denied. Allow read and write access to the device in the policy that confines this process.',
  ENOENT: () =>
    'the device does not exist. Mount devpts at /dev/pts and provide the device in this container or sandbox.',
  ENXIO: () => 'the device has no driver behind it. Mount devpts at /dev/pts in this container or sandbox.',
  ENOTTY: () =>
    'something else stands in its place. Bind the real device there, or mount devpts and link /dev/pts/ptmx.',
  ENODEV: () => 'the device has no driver behind it. Mount devpts at /dev/pts in this container or sandbox.',
}

function renderUse({ usedPtys, maxPtys }: PtyFacts): string {
  return usedPtys === undefined || maxPtys === undefined ? '' : ` (${usedPtys} of ${maxPtys} on this machine)`
}

/** Say why no PTY came and what to do about it, naming the device. */
export function explainPtyFailure(reason: string, facts: PtyFacts): string {
  if (facts.deviceErrorCode === undefined) {
    return (
      `No process could be started on a new PTY (${reason}), although ${facts.device} opens${renderUse(facts)}. ` +
      'Check the limit on processes (`ulimit -u`, pids cgroup), free memory, and that devpts is mounted at /dev/pts.'
    )
  }
  const advice = ADVICE[facts.deviceErrorCode]?.(facts) ?? 'check the device and the policy that confines this process.'
  return `No PTY: opening ${facts.device} fails with ${facts.deviceErrorCode}: ${advice}`
}
