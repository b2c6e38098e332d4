import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** One process of a fake procfs. What is left out is missing there, as on a machine that does not show it. */
export interface FakeProcess {
  readonly pid: number
  readonly command?: string
  readonly state?: string
  readonly parentPid?: number
  readonly pgid?: number
  readonly sessionId?: number
  readonly foregroundPgid?: number
  readonly ticks?: number
  readonly startTime?: string
  readonly threads?: readonly FakeThread[]
  readonly descriptors?: Readonly<Record<number, string>>
  readonly descriptorInfo?: Readonly<Record<number, string>>
  /** Bytes of memory by address. */
  readonly memory?: Readonly<Record<number, Uint8Array>>
  readonly environment?: string
  /** Arguments, NUL-separated. */
  readonly commandLine?: string
}

export interface FakeThread {
  readonly tid: number
  /** Content of `syscall`; left out, the file is not there. */
  readonly call?: string
  readonly state?: string
  readonly switches?: number
  readonly children?: readonly number[]
}

/** A directory laid out as procfs, for facts that no program of this machine would show. */
export class FakeProc {
  readonly root = mkdtempSync(join(tmpdir(), 'fake-proc-'))

  /** Write a process, replacing what was there under its pid: files that stay are rewritten in place, as kept descriptors see it. */
  put(process: FakeProcess): void {
    for (const name of ['fd', 'fdinfo', 'mem', 'environ', 'cmdline']) {
      rmSync(join(this.root, String(process.pid), name), { recursive: true, force: true })
    }
    const threads = process.threads ?? [{ tid: process.pid }]
    this.write(`${process.pid}/stat`, renderStat(process, threads.length))
    for (const thread of threads) {
      const task = `${process.pid}/task/${thread.tid}`
      if (thread.call === undefined) rmSync(join(this.root, task, 'syscall'), { force: true })
      else this.write(`${task}/syscall`, `${thread.call}\n`)
      const { state = 'S', switches = 1 } = thread
      this.write(`${task}/status`, `State:\t${state} (x)\nvoluntary_ctxt_switches:\t${switches}\n`)
      this.write(`${task}/children`, (thread.children ?? []).map((pid) => `${pid} `).join(''))
    }
    for (const [fd, target] of Object.entries(process.descriptors ?? {})) this.link(`${process.pid}/fd/${fd}`, target)
    for (const [fd, text] of Object.entries(process.descriptorInfo ?? {})) {
      this.write(`${process.pid}/fdinfo/${fd}`, text)
    }
    if (process.memory) this.write(`${process.pid}/mem`, renderMemory(process.memory))
    if (process.environment !== undefined) this.write(`${process.pid}/environ`, process.environment)
    if (process.commandLine !== undefined) this.write(`${process.pid}/cmdline`, process.commandLine)
  }

  remove(pid: number): void {
    rmSync(join(this.root, String(pid)), { recursive: true, force: true })
  }

  destroy(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  private write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), content)
  }

  private link(path: string, target: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    symlinkSync(target, join(this.root, path))
  }
}

function renderStat(process: FakeProcess, threads: number): string {
  const { pid, command = 'program', state = 'S', parentPid = 1, pgid = pid, sessionId = pid } = process
  const { foregroundPgid = pgid, ticks = 0, startTime = '1000' } = process
  const numbers = [parentPid, pgid, sessionId, 34816, foregroundPgid, 0, 0, 0, 0, 0, ticks, 0, 0, 0, 20, 0, threads, 0]
  return `${pid} (${command}) ${state} ${numbers.join(' ')} ${startTime} 0 0\n`
}

/** The content of a `syscall` file. Arguments that are left out are 0. */
export function renderCall(number: number, ...args: readonly number[]): string {
  const registers = Array.from({ length: 6 }, (_, at) => `0x${(args[at] ?? 0).toString(16)}`)
  return [number, ...registers, '0x7ffd00001000', '0x7f0000002000'].join(' ')
}

function renderMemory(memory: Readonly<Record<number, Uint8Array>>): Buffer {
  const parts = Object.entries(memory).map(([address, bytes]) => ({ address: Number(address), bytes }))
  const image = Buffer.alloc(Math.max(0, ...parts.map(({ address, bytes }) => address + bytes.length)))
  for (const { address, bytes } of parts) image.set(bytes, address)
  return image
}
