import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Include } from '@deepseek-ai/cordis-plugin-include'

/** A composition read from a file, with plugins looked up where a person expects them. */
export class ConfigFile extends Include {
  /** What could not be imported, by specifier. The loader only logs it. */
  readonly importErrors = new Map<string, unknown>()

  /** Look beside the composition file first, then among the command line's own dependencies. */
  override async import(name: string, getOuterStack?: () => string[]): Promise<unknown> {
    if (name.startsWith('cordis:')) return super.import(name, getOuterStack)
    try {
      return await import(this.locate(name))
    } catch (error) {
      this.importErrors.set(name, error)
      throw error
    }
  }

  private locate(name: string): string {
    const base = this.ctx.baseUrl
    if (base === undefined) return name
    if (name.startsWith('.')) return new URL(name, base).href
    try {
      return pathToFileURL(createRequire(fileURLToPath(new URL('cordis.yml', base))).resolve(name)).href
    } catch {
      return name
    }
  }

  /** A composition is the user's text: nothing that happens at run time is written into it. */
  override write(): void {}
}
