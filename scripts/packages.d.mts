export const root: string
export function listPackages(): {
  readonly dir: string
  readonly folder: string
  readonly manifest: { readonly name: string; readonly version: string; readonly private?: boolean }
}[]
export function newestMtime(dir: string): number
