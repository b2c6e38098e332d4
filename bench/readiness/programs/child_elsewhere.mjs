// Listens to the terminal while a child in a session of its own works: nothing that the loop watches is anybody else's.
import { spawn } from 'node:child_process'

process.stdin.resume()
console.log('working')
spawn('sleep', ['1.5'], { detached: true, stdio: 'ignore' }).on('exit', () => {
  console.log('LATE')
  process.exit()
})
