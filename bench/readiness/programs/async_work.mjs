// Reads a line, then works for a while without using the terminal, then prints.
import { createInterface } from 'node:readline'

const rl = createInterface({ input: process.stdin })
console.log('send a line')
rl.on('line', () =>
  setTimeout(() => {
    console.log('LATE')
    process.exit()
  }, 900),
)
