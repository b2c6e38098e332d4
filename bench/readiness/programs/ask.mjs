// A question in an event loop.
import { createInterface } from 'node:readline'

const rl = createInterface({ input: process.stdin, output: process.stdout })
rl.question('What is your name? ', (name) => {
  console.log(`hello ${name}`)
  rl.close()
})
