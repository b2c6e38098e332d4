/** `serve --demo`: an agent at work again and again, for people to watch, to interrupt and to take over from. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/sandbox/contract'
import type { Context } from '@deepseek-ai/cordis'
import { type Chapter, chapters } from './chapters.js'
import { createHand } from './hand.js'
import { Stage } from './stage.js'

export interface DemoParts {
  readonly ctx: Context
  readonly signal: AbortSignal
  /** Waits at the pace of a reader. Rejects when the signal aborts. */
  readonly pause: (ms: number) => Promise<void>
}

const STEP_PAUSE_MS = 1_500
const CHAPTER_PAUSE_MS = 3_000

/** The agent's means during a run. */
interface Scene extends DemoParts {
  readonly agent: Agent
  readonly stage: Stage
  /** Command that leads to the demo's directory. */
  readonly home: string
}

/** Play one chapter as far as people let it. @returns whether it is to be played again, because of what happened in its terminal before. */
async function playChapter(scene: Scene, { terminal, steps }: Chapter): Promise<boolean> {
  const { ctx, signal, pause, agent, stage, home } = scene
  const keyboard = await stage.enter(terminal, signal)
  const hand = createHand(ctx.terminals, agent, keyboard, signal)
  const isLost = keyboard.begin()
  const isReady = (!isLost || (await hand.findPrompt())) && (await hand.type(home)) === 'prompt'
  if (keyboard.wasTaken) return true
  if (!isReady) {
    await stage.leave(terminal)
    return isLost
  }
  for (const { text, until = 'prompt', pauseMs = STEP_PAUSE_MS } of steps) {
    await pause(pauseMs)
    const state = keyboard.wasTaken ? undefined : await hand.type(text)
    if (keyboard.wasTaken) return true
    if (state !== until) {
      keyboard.stray()
      return false
    }
  }
  return false
}

/** A directory for the demo alone. Confined terminals have one of their own already, which ends with them. */
async function makeHome(
  { ctx }: DemoParts,
  agent: Agent,
): Promise<{ readonly command: string; remove(): Promise<void> }> {
  const mode = ctx.get('sandboxPolicy')?.resolve(agent).mode ?? 'danger-full-access'
  if (mode !== 'danger-full-access') return { command: 'cd "${TMPDIR:-/tmp}"', remove: async () => undefined }
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'agent-terminals-demo-')))
  return {
    command: `cd '${directory}'`,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function playForEver(scene: Scene): Promise<never> {
  for (;;) {
    for (const chapter of chapters) {
      while (await playChapter(scene, chapter)) await scene.pause(STEP_PAUSE_MS)
      await scene.pause(CHAPTER_PAUSE_MS)
    }
  }
}

/**
 * Play until the signal aborts; everything it started is gone then.
 * @throws what kept the agent from working at all, such as a terminal that cannot be opened.
 */
export async function playDemo(parts: DemoParts): Promise<void> {
  const { ctx, signal } = parts
  const agent = await ctx.agents.create({ cwd: process.cwd() })
  const stage = new Stage(ctx.terminals, agent)
  const home = await makeHome(parts, agent)
  try {
    await playForEver({ ...parts, agent, stage, home: home.command })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    stage.release()
    await agent.dispose()
    await home.remove()
  }
}
