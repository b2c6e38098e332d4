import type { Config } from './config.js'
import type { SpawnTerminalSpec, SubprocessService, SubprocessTerminal } from './contract.js'
import { scrubEnvironment } from './core/index.js'
import { SubprocessError } from './errors.js'
import { resolveExecutable } from './executable.js'
import { HOST_TAG_VARIABLE } from './host-end/host-end.js'
import { SESSION_TAG_VARIABLE } from './teardown/termination.js'
import type { OpenPty, PtyDevice, PtyRequest } from './terminal/device.js'
import type { ProcessSide } from './terminal/process-side.js'
import { createPtyError, type readPtyFacts } from './terminal/pty-support.js'
import { PtyTerminal } from './terminal/pty-terminal.js'
import { checkSpec } from './terminal/spawn-check.js'

/** The world around the service, injected in tests. */
export interface SubprocessWorld {
  readonly platform: string
  readonly hostTag: string
  readonly openPty: OpenPty
  readonly createTag: () => string
  readonly readHostEnvironment: () => Readonly<Record<string, string | undefined>>
  readonly createProcessSide: (device: PtyDevice, tag: string) => ProcessSide
  readonly readPtyFacts: typeof readPtyFacts
  readonly reportError: (error: unknown) => void
}

/** Where execvp(3) looks when PATH is not set. */
const DEFAULT_PATH = '/usr/bin:/bin'

export class SubprocessHost implements SubprocessService {
  /** Terminals whose process tree has not been proven gone. */
  private readonly terminals = new Set<PtyTerminal>()
  private life: 'open' | 'disposed' = 'open'
  /** Why clean-up at disposal was incomplete, if it was. */
  disposalFailure: AggregateError | undefined

  constructor(
    private readonly config: Config,
    private readonly world: SubprocessWorld,
  ) {}

  get hostTag(): string {
    return this.world.hostTag
  }

  environment(): Record<string, string> {
    return scrubEnvironment(this.world.readHostEnvironment(), this.config.environment)
  }

  resolveExecutable(name: string): Promise<string> {
    return resolveExecutable(name, this.environment().PATH ?? DEFAULT_PATH)
  }

  async spawnTerminal(spec: SpawnTerminalSpec): Promise<SubprocessTerminal> {
    spec.signal?.throwIfAborted()
    this.requireOpen()
    await checkSpec(spec)
    spec.signal?.throwIfAborted()
    this.requireOpen()
    return this.open(spec)
  }

  /** Refuse new terminals and end all that live. Never rejects: what could not be ended is `disposalFailure`. */
  async dispose(): Promise<void> {
    this.life = 'disposed'
    const terminals = [...this.terminals]
    const endings = terminals.map((terminal) => terminal.terminate({ graceMs: this.config.disposeGraceMs }))
    const failures: unknown[] = []
    for (const [index, ending] of (await Promise.allSettled(endings)).entries()) {
      if (ending.status === 'fulfilled') continue
      failures.push(ending.reason)
      terminals[index]?.abandon()
    }
    this.terminals.clear()
    if (failures.length === 0) return
    this.disposalFailure = new AggregateError(failures, `${failures.length} terminals could not be ended completely`)
    this.world.reportError(this.disposalFailure)
  }

  private requireOpen(): void {
    if (this.life === 'open') return
    throw new SubprocessError('DISPOSED', 'The subprocess service is shutting down and starts nothing more.')
  }

  /** Synchronous, so that neither an abort nor a disposal can come between the process and its record. */
  private open(spec: SpawnTerminalSpec): PtyTerminal {
    const tag = this.world.createTag()
    const terminal = new PtyTerminal({
      openPty: (request, events) => this.openPty(request, events),
      request: this.completeRequest(spec, tag),
      platform: this.world.platform,
      maxHeldOutputBytes: this.config.maxHeldOutputBytes,
      createProcessSide: (device) => this.world.createProcessSide(device, tag),
      handleListenerError: this.world.reportError,
      handleTerminated: () => this.terminals.delete(terminal),
    })
    this.terminals.add(terminal)
    return terminal
  }

  private openPty(...[request, events]: Parameters<OpenPty>): PtyDevice {
    try {
      return this.world.openPty(request, events)
    } catch (error) {
      throw createPtyError(error, this.world.readPtyFacts())
    }
  }

  private completeRequest(spec: SpawnTerminalSpec, tag: string): PtyRequest {
    const [file, ...args] = spec.argv
    const merged: Record<string, string | undefined> = {
      ...this.environment(),
      ...spec.env,
      PWD: spec.cwd,
      TERM: spec.terminalType,
      [SESSION_TAG_VARIABLE]: tag,
      [HOST_TAG_VARIABLE]: this.world.hostTag,
    }
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(merged)) if (value !== undefined) env[name] = value
    return { file, args, cwd: spec.cwd, env, size: spec.size }
  }
}
