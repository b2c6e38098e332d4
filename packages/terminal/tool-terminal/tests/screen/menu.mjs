// A menu of the kind Node prompt libraries draw: raw mode, redrawn in place with relative motions.
import readline from 'node:readline'

const choices = ['alpha', 'beta', 'gamma']
let at = 0
const draw = (isFirst) => {
  if (!isFirst) process.stdout.write(`\x1b[${choices.length}A`)
  for (const [index, choice] of choices.entries()) {
    process.stdout.write(`\r\x1b[K${index === at ? `\x1b[7m❯ ${choice}\x1b[0m` : `  ${choice}`}\n`)
  }
}
process.stdout.write('? Choose one\n\x1b[?25l')
readline.emitKeypressEvents(process.stdin)
process.stdin.setRawMode(true)
draw(true)
process.stdin.on('keypress', (_text, key) => {
  if (key.name === 'up') at = (at + choices.length - 1) % choices.length
  if (key.name === 'down') at = (at + 1) % choices.length
  draw(false)
  if (key.name !== 'return') return
  process.stdin.setRawMode(false)
  process.stdin.pause()
  process.stdout.write(`\x1b[?25hchosen: ${choices[at]}\n`)
})
