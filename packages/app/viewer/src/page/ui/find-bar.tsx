/** Search in the output. */
import { useEffect, useRef } from 'preact/hooks'
import type { Page } from '../app/page.js'
import type { Find } from '../core/state.js'
import { Icon } from './icons.js'

type OpenFind = Extract<Find, { readonly kind: 'open' }>

export function FindBar({ page, find }: { readonly page: Page; readonly find: OpenFind }) {
  const input = useRef<HTMLInputElement>(null)
  const { query, isCaseSensitive, isRegex, results } = find
  const { store } = page
  const go = (direction: 'newer' | 'older') => page.screen?.finder.step(direction)
  const close = () => {
    page.screen?.finder.end()
    store.dispatch({ type: 'find-closed' })
    page.screen?.focus()
  }
  useEffect(() => input.current?.focus(), [])
  // The newest match first: what one looks for has mostly just scrolled by.
  useEffect(() => {
    page.screen?.finder.start({ text: query, isCaseSensitive, isRegex })
  }, [page, query, isCaseSensitive, isRegex])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter') go(event.shiftKey ? 'newer' : 'older')
    else return
    event.preventDefault()
  }
  return (
    <search class="find">
      <input
        ref={input}
        id="find-text"
        type="text"
        aria-label="Search the output"
        placeholder="Search the output"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) =>
          store.dispatch({ type: 'find-changed', change: { query: currentTarget.value } })
        }
        onKeyDown={handleKey}
      />
      <output class="find-count" for="find-text">
        {renderCount(query, results)}
      </output>
      <button
        type="button"
        class="button toggle"
        aria-pressed={isCaseSensitive}
        title="Match case"
        onClick={() => store.dispatch({ type: 'find-changed', change: { isCaseSensitive: !isCaseSensitive } })}
      >
        Aa
      </button>
      <button
        type="button"
        class="button toggle"
        aria-pressed={isRegex}
        title="Regular expression"
        onClick={() => store.dispatch({ type: 'find-changed', change: { isRegex: !isRegex } })}
      >
        .*
      </button>
      <button
        type="button"
        class="button"
        aria-label="Older match"
        title="Older match (Enter)"
        onClick={() => go('older')}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="button"
        aria-label="Newer match"
        title="Newer match (Shift+Enter)"
        onClick={() => go('newer')}
      >
        <Icon name="down" />
      </button>
      <button type="button" class="button" aria-label="Close search" title="Close search (Escape)" onClick={close}>
        <Icon name="close" />
      </button>
    </search>
  )
}

function renderCount(query: string, results: OpenFind['results']): string {
  if (query === '' || !results) return ''
  const { index, count, isLimited } = results
  return count === 0 ? 'nothing found' : `${index + 1} of ${count}${isLimited ? '+' : ''}`
}
