/** One terminal in the list. */
import { renderKeyboard } from '../core/banner.js'
import { shortenDirectory } from '../core/directory.js'
import { renderDuration } from '../core/duration.js'
import { hasFailed } from '../core/facts.js'
import type { TerminalModel } from '../core/terminal-model.js'
import { useTicking } from './ticking.js'

export interface RowProps {
  readonly model: TerminalModel
  readonly isSelected: boolean
  readonly onSelect: () => void
}

export function Row({ model, isSelected, onSelect }: RowProps) {
  const { title, agent, directory, isUnseen } = model
  return (
    <li>
      <button
        type="button"
        class="row"
        tabIndex={isSelected ? 0 : -1}
        aria-current={isSelected ? 'true' : undefined}
        data-uri={model.uri}
        onClick={onSelect}
      >
        <span class="row-dot" data-dot={dotOf(model)} aria-hidden="true" />
        <span class="row-title">
          <bdi>{title}</bdi>
          {isUnseen && <span class="row-unseen" title="new output" />}
          {isUnseen && <span class="visually-hidden">, new output</span>}
        </span>
        <RowState model={model} />
        <span class="row-keyboard">{renderKeyboard(model)}</span>
        <span class="row-place">
          <span class="row-agent">{agent ?? 'yours'}</span>
          {directory !== undefined && <bdi class="row-directory">{shortenDirectory(directory)}</bdi>}
        </span>
      </button>
    </li>
  )
}

/** At the right: what the newest command came to. */
function RowState({ model: { life, command } }: { readonly model: TerminalModel }) {
  const isRunning = life.kind === 'running' && command?.outcome.kind === 'running'
  useTicking(isRunning)
  if (life.kind === 'ended') return <span class="row-state">exit {life.exitCode ?? '—'}</span>
  if (!command) return <span class="row-state" />
  if (command.outcome.kind === 'running') {
    return <span class="row-state running">{renderDuration(Math.max(0, Date.now() - command.startedAt))}</span>
  }
  if (!hasFailed(command.outcome)) return <span class="row-state">ready</span>
  return <span class="row-state failed">exit {command.outcome.exitCode}</span>
}

function dotOf({ life, holder }: TerminalModel): string {
  return life.kind === 'ended' ? 'ended' : holder.kind
}
