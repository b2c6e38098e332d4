/** Starts the page: link or token, connection, and one drawing per change. */
import './app/jitless.js'
import '@xterm/xterm/css/xterm.css'
import './styles/index.css'
import { render } from 'preact'
import { startPage } from './app/start.js'
import { Viewer } from './ui/viewer.js'

const root = document.getElementById('app')
if (root) {
  const page = startPage()
  page.onDraw(() => render(<Viewer page={page} state={page.store.state} />, root))
}
