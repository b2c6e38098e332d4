import { readFileSync } from 'node:fs'
import { useBaseline } from '@agent-terminals/testing'
import { expect, it, vi } from 'vitest'

useBaseline()

it('prints what the tool and the terminal said together', async () => {
  const printed: unknown[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(line))
  const path = '../main.js'
  await import(path)
  spy.mockRestore()
  expect(printed).toEqual(['the answer is 42'])
})

it('is shorter than 40 lines', () => {
  const text = readFileSync(new URL('../main.js', import.meta.url), 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThan(40)
})
