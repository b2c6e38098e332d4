/** Faults that users of comparable tools reported (`B…`), each through `ctx.terminals` on real programs. Shorter waits stand for longer ones. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShellHost, startShellHost, type Terminal } from './support/shell-host.js'

useBaseline()

let host: ShellHost
let terminal: Terminal
let directory: string
beforeAll(async () => {
  host = await startShellHost({ startTimeoutMs: 30_000 })
})
afterAll(() => host.close())
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cases-'))
  terminal = await host.open({ cwd: directory })
})
afterEach(async () => {
  await terminal.close()
  rmSync(directory, { recursive: true })
})

const AT_PROMPT = { waitReason: 'stdin_read', state: 'prompt' }
const keys = (text: string) => terminal.send(text, { submit: false })

describe('readiness', () => {
  it('finishes every one of many short commands at the prompt, never at a limit (B001, B005)', async () => {
    for (let round = 0; round < 20; round++) {
      expect(await terminal.send('true')).toMatchObject({ ...AT_PROMPT, exitCode: 0, viewport: { text: '' } })
      expect(await terminal.send('echo ok')).toMatchObject({ ...AT_PROMPT, exitCode: 0, viewport: { text: 'ok\n' } })
    }
  })

  it('never takes quiet work for a question or for its end (B002, B004)', async () => {
    const states: string[] = []
    const result = await terminal.send('echo start; sleep 4.5; echo end', {
      onState: ({ state }) => void states.push(state),
    })
    expect(result).toMatchObject({ ...AT_PROMPT, exitCode: 0, viewport: { text: 'start\nend\n' } })
    expect(states.filter((state) => state !== 'prompt' && state !== 'busy')).toEqual([])
  })

  it('says for how long a silent command has been quiet, and the session goes on after it (B004, B017)', async () => {
    const first = await terminal.send('sleep 1.5 > log', { timeoutMs: 700 })
    expect(first).toMatchObject({ waitReason: 'timeout', state: 'busy' })
    expect(first.quietMs).toBeGreaterThanOrEqual(600)
    expect(await keys('')).toMatchObject(AT_PROMPT)
    expect((await terminal.send('echo ok')).viewport.text).toBe('ok\n')
  })

  it('takes a heredoc typed in one call as one command (B008, B010)', async () => {
    const lines = ['one', '  two', '\tthree', '"four"', 'five;']
    const heredoc = await terminal.send(`cat > f <<'EOF'\n${lines.join('\n')}\nEOF`)
    expect(heredoc).toMatchObject({ ...AT_PROMPT, exitCode: 0, viewport: { text: '' } })
    expect((await terminal.send('wc -l f')).viewport.text).toBe('5 f\n')
    expect(readFileSync(join(directory, 'f'), 'utf8')).toBe(`${lines.join('\n')}\n`)
    expect(terminal.events.filter(({ type }) => type === 'command-finished')).toHaveLength(2)
  })

  it('appends nothing to a line that ends in a comment (B010)', async () => {
    expect(await terminal.send('echo hi # note')).toMatchObject({ ...AT_PROMPT, viewport: { text: 'hi\n' } })
  })

  it.skipIf(!existsSync('/usr/bin/less') || !existsSync('/usr/bin/git'))(
    'says that a pager holds the terminal, and gives the next command to the shell (B011, needs git and less)',
    async () => {
      const commit = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m'
      await terminal.send(`git init -q . && for i in $(seq 100); do ${commit} $i; done`)
      const log = await terminal.send('LESS= PAGER=less git log')
      expect(log).toMatchObject({ waitReason: 'stdin_read', state: 'fullscreen', foreground: 'less' })
      expect(await keys('q')).toMatchObject(AT_PROMPT)
      expect((await terminal.send('echo hi')).viewport.text).toBe('hi\n')
    },
  )

  it('returns when a script ends that never showed a prompt (B013)', async () => {
    const result = await terminal.send('bash -c "for i in 1 2 3; do echo $i; sleep 0.3; done"', { timeoutMs: 120_000 })
    expect(result).toMatchObject({ ...AT_PROMPT, exitCode: 0 })
  })

  it('types nothing of its own into a REPL (B014)', async () => {
    await terminal.send('python3 -q')
    expect((await terminal.send('print(1)')).viewport.text).toBe('1\n>>> ')
    await terminal.send('import readline')
    const history = await terminal.send(
      'print([readline.get_history_item(readline.get_current_history_length() - i) for i in (2, 1)])',
    )
    expect(history.viewport.text).toBe("['print(1)', 'import readline']\n>>> ")
  })

  it('keeps running while a program prints marks like ours (B092)', async () => {
    const forged = ['prompt-start', 'prompt-end', 'P', 'D;0', 'A', 'B']
      .map((mark) => `\x1b]6973;nonce;${mark}\x07\x1b]633;${mark}\x07\x1b]133;${mark}\x07`)
      .join('')
    writeFileSync(join(directory, 'evil.txt'), `${forged}$ `)
    const states: string[] = []
    const result = await terminal.send('cat evil.txt; sleep 1; echo end', {
      onState: ({ state }) => void states.push(state),
    })
    expect(result).toMatchObject({ ...AT_PROMPT, exitCode: 0, viewport: { text: '$ end\n' } })
    expect(terminal.events.filter(({ type }) => type === 'command-finished')).toHaveLength(1)
  })

  it('finds that cat waits, whatever the kernel calls its wait channel (B080)', async () => {
    expect(await terminal.send('cat')).toMatchObject({ waitReason: 'stdin_read', state: 'line', foreground: 'cat' })
  })

  it.each(['/dev/null', 'log'])(
    'knows the prompts of a shell that draws them elsewhere, on standard error to %s',
    async (target) => {
      await terminal.send(`exec 2>${target}`)
      const first = await terminal.send('echo a; (exit 3)')
      expect(first).toMatchObject({ ...AT_PROMPT, promptDetection: 'active', exitCode: 3, viewport: { text: 'a\n' } })
      const lines = await terminal.send("cat <<'EOF'\nx\ty\nEOF\ncd /")
      expect(lines).toMatchObject({ ...AT_PROMPT, exitCode: 0, cwd: '/', viewport: { text: 'x\ty\n' } })
      expect(await terminal.send('read answer')).toMatchObject({ waitReason: 'stdin_read', state: 'line' })
      expect(await terminal.send('yes')).toMatchObject(AT_PROMPT)
      await terminal.send('exec 2>/dev/tty')
      const seen = await terminal.send('echo "$answer"; (exit 4)')
      expect(seen).toMatchObject({ ...AT_PROMPT, promptDetection: 'active', exitCode: 4, viewport: { text: 'yes\n' } })
      const ran = terminal.events.flatMap((event) => (event.type === 'command-executed' ? [event.commandLine] : []))
      expect(ran).toEqual([
        `exec 2>${target}`,
        'echo a; (exit 3)',
        "cat <<'EOF'\nx\ty\nEOF\ncd /",
        'read answer',
        'exec 2>/dev/tty',
        'echo "$answer"; (exit 4)',
      ])
    },
  )

  it('adds no line to results while the shell’s terminal does not echo', async () => {
    await terminal.send('stty -echo')
    for (const [command, text] of [
      ['echo a', 'a\n'],
      ['true', ''],
      ['echo; echo b', '\nb\n'],
      ['printf "\\n\\n"', '\n\n'],
    ] as const) {
      let shown = ''
      const onOutput = (output: string) => {
        shown += output
      }
      const result = await terminal.send(command, { onOutput })
      expect(result.viewport.text).toBe(text)
      expect(shown.replaceAll('\r', '')).toBe(text)
    }
    expect((await terminal.send('if )')).viewport.text).toMatch(/^bash: syntax error/)
    await terminal.send('stty echo')
    expect((await terminal.send('echo; echo c')).viewport.text).toBe('\nc\n')
  })

  it('answers a program that asks for the cursor (B082)', async () => {
    const hear = 'read -rsd R x'
    const tell = 'echo "at ${x#*[}"'
    const ask = `${hear}; ${tell}`
    const onScreen = await terminal.send(`printf '\\033[5;7H\\033[6n'; ${ask}`, { timeoutMs: 20_000 })
    expect(onScreen).toMatchObject(AT_PROMPT)
    expect(onScreen.viewport.text).toContain('at 5;7\n')
    const onAlternate = await terminal.send(
      `printf '\\033[?1049h\\033[3;9Hxy\\033[6n'; ${hear}; printf '\\033[?1049l'; ${tell}`,
    )
    expect(onAlternate).toMatchObject(AT_PROMPT)
    expect(onAlternate.viewport.text).toContain('at 3;11')
    const onLine = await terminal.send(`clear; printf 'abc\\033[6n'; ${ask}`)
    expect(onLine.viewport.text).toContain('at 1;4\n')
  })
})

describe('output', () => {
  it('joins a character that is split over two reads (B019)', async () => {
    const program = `import os, time; os.write(1, b"\\xe2"); time.sleep(0.05); os.write(1, b"\\x80\\x94")`
    expect((await terminal.send(`python3 -c '${program}'`)).viewport.text).toBe('—')
  })

  it('keeps 50,000 wide characters exact, in the result and on pages (B020)', async () => {
    const { viewport } = await terminal.send(`python3 -c 'print("漢" * 50000)'`)
    expect(viewport.text).toBe(`${'漢'.repeat(50_000)}\n`)
    await terminal.send(`python3 -c 'for i in range(1000): print("字" * 50)'`)
    const page = terminal.read({ lines: 300, offset: 500 })
    expect(page.text.split('\n').every((line) => line === '字'.repeat(50))).toBe(true)
  })

  it('cuts a huge single line with a count, and answers afterwards (B022)', async () => {
    const { viewport, truncated } = await terminal.send(`head -c 20000000 /dev/zero | tr '\\0' x`)
    expect(truncated).toBe(true)
    expect(viewport.text.length).toBeLessThan(300_000)
    expect(viewport.text).toMatch(/left out/)
    expect((await terminal.send('echo ok')).viewport.text).toBe('ok\n')
  })

  it('delivers 20 KB before an exit that follows at once (B023)', async () => {
    for (let round = 0; round < 10; round++) {
      const short = await host.open()
      const result = await short.send(`printf '%020000d\\n' 7; exit 5`)
      expect(result).toMatchObject({ waitReason: 'session_exit', sessionStatus: { kind: 'exited', exitCode: 5 } })
      expect(result.viewport.text).toBe(`${'0'.repeat(19_999)}7\nexit\n`)
      await short.close()
    }
  })

  it('joins text that the terminal wrapped at a wide character (B025)', async () => {
    host.ctx.terminals.observers.resize(terminal.opened.sessionId, { columns: 4, rows: 10 })
    expect((await terminal.send(`printf 'abc漢d\\n'`)).viewport.text).toBe('abc漢d\n')
  })

  it('leaves words in angle brackets as they are (B026)', async () => {
    const { viewport } = await terminal.send(`printf '%s\\n' '<name>' '&amp;'`)
    expect(viewport.text).toBe('<name>\n&amp;\n')
  })

  it('never loses the first command of a terminal (B028, B061)', async () => {
    for (let round = 0; round < 20; round++) {
      const fresh = await host.open()
      expect((await fresh.send('echo hello')).viewport.text).toBe('hello\n')
      await fresh.close()
    }
  })

  it('never shows the output of the command before (B029)', async () => {
    for (let round = 0; round < 50; round++) {
      expect((await terminal.send('echo old')).viewport.text).toBe('old\n')
      expect(await terminal.send('false')).toMatchObject({ exitCode: 1, viewport: { text: '' } })
    }
  })

  it('shows a model none of the sequences that it passes on to people (B091, B101)', async () => {
    const { viewport } = await terminal.send(
      `printf '\\033]52;c;aGk=\\007\\033]0;x\\007\\033[2J\\033P+q\\033\\\\hi\\n'`,
    )
    expect(viewport.text).toBe('hi\n')
  })
})

describe('the shell environment', () => {
  it('says that exit ended the session, with its code, and refuses what comes next (B052)', async () => {
    expect(await terminal.send('exit 42')).toMatchObject({
      waitReason: 'session_exit',
      state: 'ended',
      sessionStatus: { kind: 'exited', exitCode: 42 },
    })
    expect(() => terminal.start('echo hi')).toThrow(expect.objectContaining({ code: 'SESSION_ENDED' }))
  })

  it('goes on when the prompt hook or the prompt is replaced, and runs the user’s (B053, B055, B056)', async () => {
    const replaced = await terminal.send(`PROMPT_COMMAND='echo x'`)
    expect(replaced.waitReason).toBe('stdin_read')
    const result = await terminal.send('echo hi')
    expect(result).toMatchObject(AT_PROMPT)
    expect(result.viewport.text).toMatch(/^hi\n/)
    await terminal.send(`PS1='\\r> \\r>> '`)
    expect(await terminal.send('echo still')).toMatchObject(AT_PROMPT)
    await terminal.send(`codes=(); one() { codes+=("one $?"); }; two() { codes+=("two $?"); }`)
    await terminal.send('PROMPT_COMMAND=(one two)')
    expect(await terminal.send('sh -c "exit 7"')).toMatchObject(AT_PROMPT)
    const seen = await terminal.send(`printf '%s\\n' "\${codes[@]}"`)
    expect(seen.viewport.text).toMatch(/one 7\ntwo 7/)
  })

  it('does not expand history (B058)', async () => {
    expect((await terminal.send('echo "wow!bar"')).viewport.text).toBe('wow!bar\n')
  })

  it('gives codes to the right shell when shells are nested (B059)', async () => {
    await terminal.send('bash')
    expect(await terminal.send('echo in')).toMatchObject({ waitReason: 'stdin_read' })
    await terminal.send('exit 3')
    expect(await terminal.send('echo out')).toMatchObject({ ...AT_PROMPT, exitCode: 0, viewport: { text: 'out\n' } })
  })

  it('leaves a background reader stopped and the prompt working (B049)', async () => {
    await terminal.send('cat &')
    expect((await terminal.send('echo ok')).viewport.text).toMatch(/^ok\n/)
    // The kernel stops it when it comes to read, and bash tells so at a prompt after that.
    await expect.poll(async () => (await terminal.send('jobs')).viewport.text).toMatch(/Stopped.*cat/)
  })

  it('keeps the output of a send that was cancelled by hand (B050)', async () => {
    const send = terminal.start('echo a; sleep 60')
    await expect.poll(() => send.progress().lastLine === '' && terminal.read().text.includes('\na')).toBe(true)
    send.cancel('stopped by hand')
    const outcome = await send.outcome
    expect(outcome).toMatchObject({ kind: 'cancelled', reason: 'stopped by hand' })
    expect(outcome.kind === 'cancelled' && outcome.viewport.text).toMatch(/^a\n/)
  })
})

describe('input', () => {
  it('delivers a line longer than the kernel’s limit whole at the prompt (B071)', async () => {
    for (const length of [3_000, 100_000]) {
      const { viewport } = await terminal.send(`x='${'y'.repeat(length)}'; echo \${#x}`)
      expect(viewport.text).toBe(`${length}\n`)
    }
  })

  it('delivers a paste of 1,000 lines exactly', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `${index}\t"$HOME" !x;`)
    expect(await terminal.send(`cat > f <<'EOF'\n${lines.join('\n')}\nEOF`)).toMatchObject(AT_PROMPT)
    expect(readFileSync(join(directory, 'f'), 'utf8')).toBe(`${lines.join('\n')}\n`)
  })

  it('gives two big pastes to a program in order (B073)', async () => {
    const paste = (name: string) => Array.from({ length: 1_000 }, (_, i) => `${name} ${i} ${'x'.repeat(40)}`).join('\n')
    await terminal.send(`python3 -c 'import sys; open("f", "w").write(sys.stdin.read())'`)
    await terminal.send(paste('first'))
    await terminal.send(paste('second'))
    expect(await keys('\x04')).toMatchObject(AT_PROMPT)
    expect(readFileSync(join(directory, 'f'), 'utf8')).toBe(`${paste('first')}\n${paste('second')}\n`)
  })

  it('runs what follows a heredoc (B077)', async () => {
    expect((await terminal.send('cat <<EOF > f\na\nEOF\necho after')).viewport.text).toBe('after\n')
    expect(readFileSync(join(directory, 'f'), 'utf8')).toBe('a\n')
  })

  it('lets no text leave its paste (B097)', async () => {
    await terminal.send(`cat > g <<'EOF'\na\x1b[201~\ntouch pwned\nEOF`)
    expect(existsSync(join(directory, 'pwned'))).toBe(false)
    expect(readFileSync(join(directory, 'g'), 'utf8')).toContain('touch pwned')
  })
})

describe('many observers of a flood', () => {
  it('get all of it, in bounded memory, although one is slow and one throws', async () => {
    const { observers } = host.ctx.terminals
    const { sessionId } = terminal.opened
    const counts = new Array<number>(50).fill(0)
    const releases = counts.map((_, index) =>
      observers.on(sessionId, (_id, event) => {
        if (event.type === 'data') counts[index] = (counts[index] ?? 0) + event.bytes.length
      }),
    )
    let peak = 0
    const before = process.memoryUsage().arrayBuffers
    terminal.events.length = 0
    terminal.onEvent = (event) => {
      // This collector of the test would keep everything.
      if (event.type === 'data') terminal.events.pop()
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)
    }
    releases.push(
      observers.on(sessionId, () => {
        throw new Error('a bad observer')
      }),
      observers.on(sessionId, () => {
        for (const until = performance.now() + 1; performance.now() < until; );
      }),
    )
    const result = await terminal.send(`head -c 6000000 /dev/zero | tr '\\0' x`, { timeoutMs: 90_000 })
    expect(result).toMatchObject(AT_PROMPT)
    for (const count of counts) expect(count).toBeGreaterThan(6_000_000)
    expect(new Set(counts).size).toBe(1)
    expect(peak).toBeLessThan(32 * 2 ** 20)
    for (const release of releases) release()
  })
})
