import type { Page } from './markdown.mjs'

export interface RunnableBlock {
  readonly language: string
  readonly code: string
  readonly line: number
  readonly output: string | undefined
}
export function findRunnableBlocks(page: Pick<Page, 'blocks'>): RunnableBlock[]
export function runBlock(block: RunnableBlock, page: string): Promise<string>
