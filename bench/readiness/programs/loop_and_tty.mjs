// A development server: listens, prints a banner, and also reads keys.
import { createServer } from 'node:http'

process.stdin.resume()
createServer(() => {}).listen(0, '127.0.0.1', () => console.log('ready on a port'))
