import type { SandboxPolicyService, SandboxService } from '@agent-terminals/sandbox/contract'
import type { SubprocessService } from '@agent-terminals/subprocess/contract'
import {
  type BackendOpenRequest,
  type BackendSession,
  type TerminalBackend,
  TerminalBackendCleanupError,
} from '@agent-terminals/terminal'
import type { Config } from './config.js'
import { toTerminalError } from './errors.js'
import { createNonce, resolveShellStart } from './integration/index.js'
import { confine } from './sandbox.js'
import { assembleParts } from './session/assemble.js'
import type { Clock } from './session/clock.js'
import { ShellSession } from './session/session.js'
import { waitForFirstPrompt } from './session/start.js'
import type { TrailSink } from './session/trail.js'

/** What the backend needs from its host. */
export interface BackendHost {
  readonly subprocess: SubprocessService
  readonly sandboxPolicy: SandboxPolicyService
  /** Asked at each start: the runner service may come and go. */
  readonly sandbox: () => SandboxService | undefined
  readonly clock: Clock
  /** Takes the evidence trail of every send; absent unless debugging is on. */
  readonly debug: TrailSink | undefined
}

/** Milliseconds that ncurses waits after an Escape for the rest of a key, instead of a second: no line here is slow (ncurses(3X)). */
const QUICK_ESCAPE = { ESCDELAY: '25' }

/** The backend type `shell`: a persistent bash on a PTY of this machine. */
export function createShellBackend(host: BackendHost, config: Config): TerminalBackend {
  return {
    type: 'shell',
    description: 'A persistent bash: directory, variables, jobs and interactive programs live on between calls.',
    open: (request) => openShell(host, config, request),
  }
}

/**
 * Start a shell and wait for its first prompt.
 * @throws the request signal's own reason, or a TerminalError; TerminalBackendCleanupError when the failed start left something.
 */
async function openShell(host: BackendHost, config: Config, request: BackendOpenRequest): Promise<BackendSession> {
  request.signal.throwIfAborted()
  const { subprocess } = host
  const policy = host.sandboxPolicy.resolve(request.owner.session ? { session: request.owner.session } : {})
  const shell = await subprocess.resolveExecutable(config.shell).catch((error: unknown) => {
    throw toTerminalError(error, 'SHELL_MISSING')
  })
  const start = resolveShellStart({ shell, loadUserRc: config.loadUserRc })
  const confinement = await confine(start.argv, request.cwd, policy, host.sandbox())
  let clean: () => Promise<void> = () => confinement.release()
  try {
    const handle = await subprocess.spawnTerminal({
      argv: confinement.argv,
      cwd: request.cwd,
      env: { ...(config.features.screen ? QUICK_ESCAPE : {}), ...start.env, ...confinement.env },
      size: request.size,
      terminalType: config.terminalType,
      signal: request.signal,
    })
    const { parts, release } = assembleParts({
      handle,
      nonce: createNonce(),
      size: request.size,
      config,
      clock: host.clock,
      emit: request.emit,
      debug: host.debug,
    })
    const releaseAll = async () => {
      release()
      await confinement.release()
    }
    clean = async () => {
      await handle.terminate({ graceMs: config.disposeGraceMs })
      await releaseAll()
    }
    const motd = await waitForFirstPrompt(parts, request.signal)
    request.signal.throwIfAborted()
    return new ShellSession({ parts, motd, confinement: confinement.description, release: releaseAll })
  } catch (error) {
    const failure = request.signal.aborted ? request.signal.reason : toTerminalError(error, 'SPAWN_FAILED')
    await clean().catch((cleanupError: unknown) => {
      throw new TerminalBackendCleanupError(failure, cleanupError, clean)
    })
    throw failure
  }
}
