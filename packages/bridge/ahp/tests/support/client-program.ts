/** A client in a process of its own: makes a terminal, says what it has seen, and waits to be killed. */
import { WebSocket } from 'ws'
import { AhpClient, openWebSocket, type WebSocketConstructor } from '../../src/client/index.js'

const [, , address = ''] = process.argv
const client = new AhpClient({
  clientId: 'killed',
  open: () => openWebSocket(address, { WebSocket: WebSocket as unknown as WebSocketConstructor }),
})
await client.waitForReady()
const uri = await client.createTerminal()
const view = await client.subscribeTerminal(uri)
process.stdout.write(JSON.stringify({ uri, seq: view.seq }))
