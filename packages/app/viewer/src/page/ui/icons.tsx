/** Line drawings, 16 by 16. What they mean is said by the control they are in. */
const PATHS = {
  add: 'M8 3v10M3 8h10',
  back: 'M10 3 5 8l5 5',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  down: 'm4 6 4 4 4-4',
  find: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm3 7 3.5 3.5',
  help: 'M5.8 6.2a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12.2v.1',
  keyboard: 'M2 4.5h12v7H2zM4.5 7h.1M7 7h.1M9 7h.1M11.5 7h.1M5 9.3h6',
  rename: 'M3 13h3l7-7-3-3-7 7z',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M7 7v4M9 7v4',
  up: 'm4 10 4-4 4 4',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
