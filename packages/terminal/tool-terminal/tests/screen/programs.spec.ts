import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScreenHouse, type ScreenHouse, type Sent } from './screen-house.js'

useBaseline()

let at: ScreenHouse
beforeEach(async () => {
  at = await openScreenHouse()
})
afterEach(() => at.dispose())

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A full-screen program is ready: said as it is, with the very picture that a person has. */
async function expectScreen(sent: Sent, ...shown: (string | RegExp)[]): Promise<void> {
  expect(sent).toMatchObject({ waitReason: 'stdin_read', state: 'fullscreen' })
  const rows = sent.screen?.rows ?? []
  expect(rows).toEqual(await at.reference())
  for (const each of shown) expect(rows.join('\n')).toMatch(each)
}

/** The program has gone and the shell is its old self. */
async function expectLeft(sent: Sent): Promise<void> {
  expect(sent).toMatchObject({ waitReason: 'stdin_read', state: 'prompt', screen: undefined })
  expect((await at.run('echo still-$((40+2))')).text).toBe('still-42\n')
}

const itWith = (program: string) => it.skipIf(!has(program))

describe('a full-screen program', () => {
  itWith('vim')('vim: opens, edits, saves, quits', async () => {
    await expectScreen(await at.run('vim note.txt'), '~')
    await expectScreen(await at.press('i', { text: 'first line' }, 'enter', { text: 'second' }), /first line\nsecond/)
    await expectScreen(await at.press('esc', 'g', 'g', { text: 'dd' }), /^second\n~/)
    await expectLeft(await at.press({ text: ':wq' }, 'enter'))
    expect(await readFile(join(at.cwd, 'note.txt'), 'utf8')).toBe('second\n')
  })

  itWith('vim')('vim: takes a paste as text, indentation included', async () => {
    await at.run("vim -N -u NONE -c 'set autoindent' code.py")
    await at.press('i', { paste: 'def f():\n    if x:\n        return 1\n' })
    await expectLeft(await at.press('esc', { text: ':wq' }, 'enter'))
    expect(await readFile(join(at.cwd, 'code.py'), 'utf8')).toContain('def f():\n    if x:\n        return 1\n')
  })

  itWith('nano')('nano: writes a file with its control keys', async () => {
    await expectScreen(await at.run('nano note.txt'), 'GNU nano')
    await expectScreen(await at.press({ text: 'from nano' }), 'from nano')
    await expectScreen(await at.press('ctrl+o'), 'File Name to Write: note.txt')
    await expectScreen(await at.press('enter'), /Wrote 1 line/)
    await expectLeft(await at.press('ctrl+x'))
    expect(await readFile(join(at.cwd, 'note.txt'), 'utf8')).toBe('from nano\n')
  })

  itWith('less')('less: pages, searches, quits', async () => {
    await at.run('seq 1 500 > numbers.txt')
    await expectScreen(await at.run('less numbers.txt'), /^1\n2\n/)
    await expectScreen(await at.press('pagedown'), /^30\n/)
    await expectScreen(await at.press({ text: '/444' }, 'enter'), /^444\n/)
    const { spans = [] } = await at.look()
    expect(spans).toContainEqual(expect.objectContaining({ row: 1, text: '444', style: 'inverse' }))
    await expectLeft(await at.press('q'))
  })

  itWith('man')('man: shows a page', async () => {
    await at.run(`printf '.TH AGENT 1\\n.SH NAME\\nagent \\\\- a test page\\n' > agent.1`)
    await expectScreen(await at.run('man ./agent.1'), 'agent - a test page')
    await expectLeft(await at.press('q'))
  })

  itWith('top')('top: redraws, answers keys, quits', async () => {
    await expectScreen(await at.run('top -d 60'), /load average/, /PID USER/)
    await expectScreen(await at.press('h'), /Help for Interactive Commands/)
    await expectScreen(await at.press('esc'), /PID USER/)
    expect(await at.press('q')).toMatchObject({ waitReason: 'stdin_read', state: 'prompt' })
  })

  itWith('htop')('htop: moves its selected line', async () => {
    const opened = await at.run('htop -d 100')
    expect(opened).toMatchObject({ waitReason: 'stdin_read', state: 'fullscreen' })
    expect(opened.screen?.rows.join('\n')).toMatch(/PID.*USER/)
    expect(await at.press('f1')).toMatchObject({ state: 'fullscreen' })
    expect((await at.look()).rows.join('\n')).toContain('htop')
    await at.press('esc')
    await expectLeft(await at.press('q'))
  })

  itWith('tmux')('tmux: a terminal in the terminal', async () => {
    const command = `tmux -L agent-terminals-${process.pid} -f /dev/null new sh`
    const started = await at.run(command, { waitFor: '^\\[\\d+\\] 0:', regex: true })
    expect(started).toMatchObject({ waitReason: 'output_match', state: 'fullscreen' })
    const sent = await at.house.call('terminal_send', {
      sessionId: at.sessionId,
      keys: [{ text: 'echo in-$((6*7))' }, 'enter'],
      waitFor: 'in-42',
    })
    expect(sent.result.structured).toMatchObject({ waitReason: 'output_match', matched: 'in-42' })
    expect((await at.look()).rows).toEqual(await at.reference())
    await expectLeft(await at.press({ text: 'exit' }, 'enter'))
  })

  itWith('git')('git rebase -i: an editor in the middle of a command', async () => {
    await makeCommits('one', 'two', 'three')
    await expectScreen(await at.run('EDITOR=vim git rebase -i --root'), /pick \w+ one\npick \w+ two/)
    await at.press('j', { text: 'dd' })
    const left = await at.press({ text: ':wq' }, 'enter')
    expect(left.text).toContain('Successfully rebased')
    expect((await at.run('git log --format=%s')).text).toBe('three\none\n')
  })
})

describe('a menu', () => {
  itWith('dialog')('dialog: shows which entry is selected, and takes arrow keys', async () => {
    const command = "dialog --menu 'Pick one' 12 40 4 1 One 2 Two 3 Three 2> chosen.txt"
    await expectScreen(await at.run(command), 'Pick one', /2 {2}Two/)
    const before = await at.look()
    await expectScreen(await at.press('down'))
    const after = await at.look()
    expect(after.hash).not.toBe(before.hash)
    const styleOf = (spans: typeof after.spans, text: string) => spans?.find((each) => each.text.includes(text))?.style
    expect(styleOf(after.spans, 'Two')).toBe(styleOf(before.spans, 'One'))
    expect(await at.press('enter')).toMatchObject({ state: 'prompt' })
    expect(await readFile(join(at.cwd, 'chosen.txt'), 'utf8')).toBe('2')
  })

  it('a Node menu on the main screen: its lines, the selected one, arrow keys', async () => {
    const opened = await at.run(`node ${beside('menu.mjs')}`)
    expect(opened).toMatchObject({ waitReason: 'stdin_read', state: 'key' })
    const first = await at.look()
    expect(first.rows.join('\n')).toContain('? Choose one\n❯ alpha\n  beta\n  gamma')
    await at.press('down')
    const second = await at.look()
    expect(second.rows.join('\n')).toContain('? Choose one\n  alpha\n❯ beta\n  gamma')
    expect(second.spans).toContainEqual(expect.objectContaining({ text: '❯ beta', style: 'inverse' }))
    expect(second.rows).toEqual(await at.reference())
    expect((await at.press('down', 'enter')).text).toContain('chosen: gamma\n')
  })

  it('a menu of a Node prompt library: which entry is selected, arrow keys, the choice', async () => {
    const opened = await at.run(`node ${beside('library-menu.mjs')}`)
    expect(opened).toMatchObject({ waitReason: 'stdin_read', state: 'key' })
    expect((await at.look()).rows.join('\n')).toMatch(/\? Colour\?.*\n❯ +red\n +green\n +blue/)
    await at.press('down')
    expect((await at.look()).rows.join('\n')).toMatch(/\n +red\n❯ +green\n +blue/)
    expect((await at.press('down', 'enter')).text).toContain('picked: blue\n')
  })

  itWith('python3')('python curses: application cursor keys, an Escape that is one', async () => {
    const command = `python3 ${beside('curses-menu.py')}`
    await expectScreen(await at.run(command), 'curses menu')
    await expectScreen(await at.press('down', 'down'))
    expect((await at.look()).spans).toContainEqual(
      expect.objectContaining({ text: 'blue', style: expect.stringContaining('inverse') }),
    )
    expect((await at.press('enter')).text).toContain('result: blue')
    await at.run(command)
    expect((await at.press('esc')).text).toContain('result: escaped')
  })

  itWith('git')('git add -p: one key, one line', async () => {
    await makeCommits('one')
    await writeFile(join(at.cwd, 'one.txt'), 'changed\n')
    const asked = await at.run('git add -p')
    expect(asked).toMatchObject({ waitReason: 'stdin_read', state: 'line' })
    expect(asked.text).toContain('Stage this hunk')
    expect(await at.press('y', 'enter')).toMatchObject({ state: 'prompt' })
    expect((await at.run('git diff --cached --stat')).text).toContain('one.txt')
  })
})

async function makeCommits(...names: string[]): Promise<void> {
  await at.run('git init -q . && git config user.email a@b.c && git config user.name A')
  for (const name of names) await at.run(`echo ${name} > ${name}.txt; git add . && git commit -qm ${name}`)
}
