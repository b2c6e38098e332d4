/** Below the terminal: the command gone to, or the newest one. */
import type { Page } from '../app/page.js'
import { renderDuration } from '../core/duration.js'
import { type CommandFacts, hasFailed } from '../core/facts.js'
import { renderOutcome } from '../core/outcome.js'
import { CommandButton } from './command-button.js'
import { useTicking } from './ticking.js'

export interface CommandBarProps {
  readonly page: Page
  readonly command: CommandFacts | undefined
  readonly size: { readonly cols: number; readonly rows: number } | undefined
}

export function CommandBar({ page, command, size }: CommandBarProps) {
  return (
    <footer class="command-bar">
      {command ? <CommandLine command={command} /> : <span class="command-none">no command yet</span>}
      <span class="command-size">{size && `${size.cols}×${size.rows}`}</span>
      <CommandButton
        page={page}
        command="previous-command"
        icon="up"
        title="Previous command"
        label="Previous command"
      />
      <CommandButton page={page} command="next-command" icon="down" title="Next command" label="Next command" />
      <CommandButton page={page} command="copy-output" icon="copy" title="Copy the output of this command">
        <span class="wide">Copy output</span>
      </CommandButton>
    </footer>
  )
}

function CommandLine({ command }: { readonly command: CommandFacts }) {
  const { outcome, line, startedAt } = command
  const isRunning = outcome.kind === 'running'
  useTicking(isRunning)
  const text = isRunning ? renderDuration(Math.max(0, Date.now() - startedAt)) : renderOutcome(outcome)
  return (
    <span class="command" data-outcome={isRunning ? 'running' : hasFailed(outcome) ? 'failed' : 'done'}>
      <code class="command-line" title={line}>
        <bdi>{line}</bdi>
      </code>
      <span class="command-outcome">{isRunning ? `running, ${text}` : text}</span>
    </span>
  )
}
