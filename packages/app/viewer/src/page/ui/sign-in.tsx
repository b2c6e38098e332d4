/** What somebody without a token sees. */
import type { Page } from '../app/page.js'
import type { Access } from '../core/access.js'

export function SignIn({
  page,
  access,
}: {
  readonly page: Page
  readonly access: Exclude<Access, { kind: 'signed-in' }>
}) {
  const isBusy = access.kind === 'signing-in'
  const problem = access.kind === 'signed-out' ? access.problem : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const field = event.currentTarget instanceof HTMLFormElement ? event.currentTarget.elements.namedItem('link') : null
    page.signIn(field instanceof HTMLInputElement ? field.value : '')
  }
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1 class="wordmark">agent-terminals</h1>
        <label for="link">
          Paste the link that <code>agent-terminals serve</code> printed
        </label>
        <input
          id="link"
          name="link"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="http://127.0.0.1:7681/#link=…"
          aria-describedby="link-help link-problem"
          aria-invalid={problem !== undefined}
          disabled={isBusy}
        />
        <p id="link-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="button primary" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
        <p id="link-help" class="quiet">
          A link works once. The tab stays signed in until it is closed or the host ends.
        </p>
      </form>
    </main>
  )
}
