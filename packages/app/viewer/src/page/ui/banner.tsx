/** Who types now, and the buttons that change it. */
import type { Page } from '../app/page.js'
import type { Banner, KeyboardAction } from '../core/banner.js'
import { keysOf } from '../core/shortcuts.js'
import type { TerminalModel } from '../core/terminal-model.js'
import { Icon } from './icons.js'

const LABELS: Readonly<Record<KeyboardAction, string>> = {
  'take-over': 'Take over',
  detach: 'Detach',
  'hand-back': 'Hand back',
}
const TITLES: Readonly<Record<KeyboardAction, string>> = {
  'take-over': `Take the keyboard (${keysOf('toggle-keyboard')})`,
  detach: 'Let the command run on in the background; the agent goes on with other things',
  'hand-back': `Give the keyboard back to the agent (${keysOf('toggle-keyboard')})`,
}

export interface BannerProps {
  readonly page: Page
  readonly model: TerminalModel
  readonly banner: Banner
}

export function KeyboardBanner({ page, model, banner }: BannerProps) {
  const perform = async (action: KeyboardAction) => {
    const { controller } = page
    if (action === 'detach') await controller.detach(model)
    else if (action === 'hand-back') await controller.handBack(model)
    else if (await controller.takeOver(model)) page.screen?.focus()
  }
  return (
    <section class="banner" data-tone={banner.tone} aria-label="Keyboard">
      <Icon name="keyboard" />
      <p role="status">
        <strong>{banner.headline}</strong> <span class="banner-detail">{banner.detail}</span>
      </p>
      <span class="banner-actions">
        {banner.actions.map((action, index) => (
          <button
            key={action}
            type="button"
            class={index === 0 ? 'button primary' : 'button'}
            title={TITLES[action]}
            onClick={() => void perform(action)}
          >
            {LABELS[action]}
          </button>
        ))}
      </span>
    </section>
  )
}
