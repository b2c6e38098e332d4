/** Settings of this browser: colours, and output for screen readers. */
import type { Scheme } from '../terminal/palette.js'
import { createSetting } from './memory.js'

const themes = createSetting('theme', ['auto', 'light', 'dark'])
const screenReader = createSetting('screen-reader', ['off', 'on'])
export type Theme = ReturnType<typeof themes.load>

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export class Settings {
  private readonly listeners = new Set<() => void>()

  constructor() {
    prefersDark.addEventListener('change', () => this.announce())
    this.apply()
  }

  get theme(): Theme {
    return themes.load()
  }

  set theme(theme: Theme) {
    themes.save(theme)
    this.apply()
    this.announce()
  }

  /** What the theme comes to now. */
  get scheme(): Scheme {
    const { theme } = this
    if (theme === 'auto') return prefersDark.matches ? 'dark' : 'light'
    return theme
  }

  get isScreenReader(): boolean {
    return screenReader.load() === 'on'
  }

  set isScreenReader(isOn: boolean) {
    screenReader.save(isOn ? 'on' : 'off')
    this.announce()
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener)
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.theme
  }

  private announce(): void {
    for (const listener of this.listeners) listener()
  }
}
