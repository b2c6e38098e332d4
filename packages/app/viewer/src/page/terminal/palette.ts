/** Colours of the terminal. The page's own are in `styles/colours.css`; backgrounds are the same on both sides. */
import type { ITheme } from '@xterm/xterm'

export type Scheme = 'light' | 'dark'

const DARK: ITheme = {
  background: '#14171c',
  foreground: '#d5d9e0',
  cursor: '#e8b05c',
  cursorAccent: '#14171c',
  selectionBackground: '#35507a',
  selectionInactiveBackground: '#2b3648',
  black: '#20242b',
  red: '#ef7d78',
  green: '#8ec07c',
  yellow: '#e0b365',
  blue: '#7aa7e8',
  magenta: '#c996de',
  cyan: '#6fc2c0',
  white: '#c5cad3',
  brightBlack: '#7c8594',
  brightRed: '#ff9c96',
  brightGreen: '#a9d898',
  brightYellow: '#f2cb84',
  brightBlue: '#9cc1f5',
  brightMagenta: '#ddb3ee',
  brightCyan: '#90dad7',
  brightWhite: '#f2f4f7',
  scrollbarSliderBackground: '#ffffff1f',
  scrollbarSliderHoverBackground: '#ffffff33',
  scrollbarSliderActiveBackground: '#ffffff47',
  overviewRulerBorder: '#00000000',
}

const LIGHT: ITheme = {
  background: '#fdfcfa',
  foreground: '#23272e',
  cursor: '#a86400',
  cursorAccent: '#fdfcfa',
  selectionBackground: '#bcd4f5',
  selectionInactiveBackground: '#dfe5ee',
  black: '#23272e',
  red: '#b3312b',
  green: '#3d7a2c',
  yellow: '#8a6100',
  blue: '#2460b0',
  magenta: '#8a3fa5',
  cyan: '#13737a',
  white: '#c9cdd3',
  brightBlack: '#69717d',
  brightRed: '#cf4640',
  brightGreen: '#4c8f38',
  brightYellow: '#a27500',
  brightBlue: '#3474cc',
  brightMagenta: '#a152bd',
  brightCyan: '#1f8a91',
  brightWhite: '#ffffff',
  scrollbarSliderBackground: '#0000001f',
  scrollbarSliderHoverBackground: '#00000033',
  scrollbarSliderActiveBackground: '#00000047',
  overviewRulerBorder: '#00000000',
}

export const THEMES: Readonly<Record<Scheme, ITheme>> = { dark: DARK, light: LIGHT }

export interface MatchColours {
  readonly active: MatchColour
  readonly others: MatchColour
}

interface MatchColour {
  readonly background: string
  readonly foreground: string
  /** Beside the scroll bar. */
  readonly ruler: string
}

export const MATCHES: Readonly<Record<Scheme, MatchColours>> = {
  dark: {
    active: { background: '#e8b05c', foreground: '#14171c', ruler: '#ffd27a' },
    others: { background: '#4a3f22', foreground: '#e6e0d2', ruler: '#a5854a' },
  },
  light: {
    active: { background: '#e0a83a', foreground: '#1d1a14', ruler: '#8a5a00' },
    others: { background: '#f6e3b0', foreground: '#23272e', ruler: '#c79a3c' },
  },
}
