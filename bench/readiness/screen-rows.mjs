/**
 * Full-screen programs with `features.screen` on: the verdict, and what the screen in the result must show by then. A picture that
 * lacks it came too early. The fields are those of `rows.mjs`; `keys` are key names.
 */
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const MENUS = '../../packages/terminal/tool-terminal/tests/screen'
const screen = (onScreen, more = {}) => ({ reason: 'stdin_read', state: 'fullscreen', onScreen, ...more })
const prompt = { reason: 'stdin_read', state: 'prompt' }
const keys = (...names) => ({ text: '', submit: false, keys: names })
const repository =
  'cd "$(mktemp -d)" && git init -q . && git config user.email a@b && git config user.name a && for i in one two; do echo $i > $i; git add .; git commit -qm $i; done'

const VIM = 'vim -N -u NONE'
const MENU = `python3 ${at(`${MENUS}/curses-menu.py`)}`
const NODE_MENU = `node ${at(`${MENUS}/menu.mjs`)}`
const DIALOG = "dialog --menu 'Pick one' 12 40 4 1 One 2 Two"
// Without a name, tmux names a window after the process it happens to find in it: bash or tmux itself before it is `sh`.
const TMUX = `tmux -L bench-${process.pid} -f /dev/null new -n shown sh`

export const SCREEN_ROWS = [
  { name: 'vim shows its file', needs: 'vim', before: ['echo hello > f'], text: `${VIM} f`, ...screen('hello') },
  { name: 'vim typed into', needs: 'vim', before: [VIM], ...keys('i', { text: 'some text' }), ...screen('some text') },
  {
    name: 'vim, Escape and a command',
    needs: 'vim',
    before: [VIM],
    ...keys('esc', { text: ':q' }, 'enter'),
    ...prompt,
  },
  { name: 'nano typed into', needs: 'nano', before: ['nano f2'], ...keys({ text: 'words' }), ...screen('words') },
  { name: 'nano asks', needs: 'nano', before: ['nano f3'], ...keys('ctrl+o'), ...screen('File Name to Write') },
  { name: 'nano left', needs: 'nano', before: ['nano f4'], ...keys('ctrl+x'), ...prompt },
  {
    name: 'less searches',
    needs: 'less',
    before: ['seq 500 | less'],
    ...keys({ text: '/444' }, 'enter'),
    ...screen('444'),
  },
  { name: 'man left', needs: 'man', before: ['man -P less bash'], ...keys('q'), ...prompt },
  { name: 'top redraws', needs: 'top', text: 'top', ...screen('load average') },
  { name: 'top shows help', needs: 'top', before: ['top -d 60'], ...keys('h'), ...screen('Help for Interactive') },
  { name: 'htop', needs: 'htop', text: 'htop', ...screen('PID') },
  { name: 'htop moves', needs: 'htop', before: ['htop -d 100'], ...keys('down'), ...screen('PID') },
  { name: 'htop left', needs: 'htop', before: ['htop'], ...keys('q'), ...prompt },
  { name: 'dialog menu', needs: 'dialog', text: DIALOG, ...screen('Pick one') },
  { name: 'dialog menu moved', needs: 'dialog', before: [DIALOG], ...keys('down'), ...screen('Two') },
  { name: 'dialog menu answered', needs: 'dialog', before: [DIALOG], ...keys('enter'), ...prompt },
  { name: 'curses', text: MENU, ...screen('curses menu') },
  { name: 'curses, a lone Escape', before: [MENU], ...keys('esc'), ...prompt },
  { name: 'node menu', text: NODE_MENU, reason: 'stdin_read', state: 'key', shows: 'gamma' },
  { name: 'node menu moved', before: [NODE_MENU], ...keys('down'), reason: 'stdin_read', state: 'key' },
  { name: 'node menu answered', before: [NODE_MENU], ...keys('down', 'enter'), ...prompt, shows: 'chosen: beta' },
  {
    name: 'tmux',
    needs: 'tmux',
    text: TMUX,
    ...screen('0:shown'),
    reason: 'inferred_idle',
  },
  { name: 'tmux left', needs: 'tmux', before: [TMUX], ...keys({ text: 'exit' }, 'enter'), ...prompt },
  {
    name: 'git rebase -i',
    needs: 'vim',
    before: [repository],
    text: `EDITOR='${VIM}' git rebase -i --root`,
    ...screen('pick'),
  },
  {
    name: 'git rebase -i, editor left',
    needs: 'vim',
    before: [repository, `EDITOR='${VIM}' git rebase -i --root`],
    ...keys({ text: ':wq' }, 'enter'),
    ...prompt,
  },
  {
    name: 'git add -p',
    needs: 'git',
    before: [repository, 'echo more >> one'],
    text: 'git add -p',
    reason: 'stdin_read',
    state: 'line',
    shows: 'Stage this hunk',
  },
]
