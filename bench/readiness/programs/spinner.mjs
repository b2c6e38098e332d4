// The same in an event loop: no sleep shows in the kernel.
let i = 0
setInterval(() => process.stdout.write(`\r${'|/-\\'[i++ % 4]} waiting for the lock`), 100)
