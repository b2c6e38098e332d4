/** The viewer's server as it is served: a real AHP host on a free port, a page of a few files. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import * as ahp from '@agent-terminals/ahp/host'
import * as terminal from '@agent-terminals/terminal'
import { Context } from '@deepseek-ai/cordis'
import * as viewer from '../../src/server/index.js'

export const TOKEN = 'a-token-of-some-length'
export const INDEX = '<!doctype html><title>page</title>'
export const SCRIPT = 'export const answer = 42'

/** A page with a hashed script, and a link that leads out of it. */
export function writePage(): string {
  const directory = mkdtempSync(join(tmpdir(), 'viewer-page-'))
  writeFileSync(join(directory, 'index.html'), INDEX)
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'assets/main-Bx1.js'), SCRIPT)
  writeFileSync(join(directory, 'icon.svg'), '<svg/>')
  symlinkSync('/etc/passwd', join(directory, 'passwd.txt'))
  return directory
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Ask {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

export class House {
  private constructor(
    readonly root: Context,
    readonly page: string,
  ) {}

  static async build(
    config: Readonly<Record<string, unknown>> = {},
    host: Readonly<Record<string, unknown>> = {},
  ): Promise<House> {
    const root = new Context()
    const page = writePage()
    await root.plugin(agents, {})
    await root.plugin(terminal, terminal.Config.parse({}))
    await root.plugin(ahp, ahp.Config.parse({ token: TOKEN, ...host }))
    const house = new House(root, page)
    try {
      await root.plugin(viewer, viewer.Config.parse({ pageDirectory: page, ...config }))
      return house
    } catch (error) {
      await house.dispose()
      throw error
    }
  }

  get origin(): string {
    return this.root.viewer.url.replace(/\/$/, '')
  }

  /** The request target goes out as it stands, however odd. */
  ask(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    const { port } = new URL(this.origin)
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
      sent.on('error', reject)
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
        response.on('error', reject)
      })
      sent.end(body)
    })
  }

  async dispose(): Promise<void> {
    await this.root.fiber.dispose()
    rmSync(this.page, { recursive: true, force: true })
  }
}
