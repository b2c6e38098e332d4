/** Keys that keyboards on glass lack. Shown where there is no fine pointer. */
const KEYS: readonly (readonly [string, string, string])[] = [
  ['Esc', 'Escape', '\x1b'],
  ['Tab', 'Tab', '\t'],
  ['^C', 'Control C', '\x03'],
  ['^D', 'Control D', '\x04'],
  ['←', 'Left', '\x1b[D'],
  ['↑', 'Up', '\x1b[A'],
  ['↓', 'Down', '\x1b[B'],
  ['→', 'Right', '\x1b[C'],
]

export function TouchKeys({ onKey }: { readonly onKey: (data: string) => void }) {
  return (
    <div class="touch-keys" role="toolbar" aria-label="Keys">
      {KEYS.map(([label, name, data]) => (
        <button
          key={name}
          type="button"
          class="button"
          aria-label={name}
          // The terminal keeps the focus, and with it the keyboard on the glass.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(data)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
