import { createTerminals } from '@agent-terminals/embed'

const terminals = await createTerminals({ sandboxPolicy: { mode: 'danger-full-access' } })
const { sessionId } = await terminals.open()
const { viewport } = await terminals.send(sessionId, 'echo $((6 * 7))')
console.log(viewport.text.trim())
await terminals.dispose()
