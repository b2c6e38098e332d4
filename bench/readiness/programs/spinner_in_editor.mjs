// A chat-like program: it takes keys and pastes all the time, and turns a spinner while it works.
process.stdin.setRawMode(true)
process.stdin.resume()
process.stdout.write('\x1b[?2004hthinking\r\n')
let i = 0
setInterval(() => process.stdout.write(`\r${'|/-\\'[i++ % 4]} `), 100)
setTimeout(() => {
  process.stdout.write('\x1b[?2004l\r\nLATE\r\n')
  process.exit()
}, 1_500)
