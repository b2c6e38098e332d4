/** What came of things one did, for as long as it takes to read. */
import { useEffect } from 'preact/hooks'
import type { Page } from '../app/page.js'
import type { Notice } from '../core/state.js'
import { Icon } from './icons.js'

const SHOWN_MS = { news: 5_000, problem: 15_000 } as const

export function Notices({ page, notices }: { readonly page: Page; readonly notices: readonly Notice[] }) {
  return (
    <div class="notices" role="status">
      {notices.map((notice) => (
        <NoticeCard key={notice.id} page={page} notice={notice} />
      ))}
    </div>
  )
}

function NoticeCard({ page, notice: { id, tone, text } }: { readonly page: Page; readonly notice: Notice }) {
  const dismiss = () => page.store.dispatch({ type: 'notice-dismissed', id })
  useEffect(() => {
    const timer = setTimeout(dismiss, SHOWN_MS[tone])
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class="notice" data-tone={tone}>
      <span>{text}</span>
      <button type="button" class="button" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  )
}
