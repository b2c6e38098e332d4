/** Lays out the directory the recorded programs run in. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const ENVIRONMENT = {
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  PS1: '$ ',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
  GIT_CONFIG_NOSYSTEM: '1',
  NO_UPDATE_NOTIFIER: '1',
}

export function prepare(directory) {
  rmSync(directory, { recursive: true, force: true })
  const write = (path, text) => {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  for (let i = 0; i < 12; i += 1) write(`files/file-${'x'.repeat(i)}.txt`, 'x\n')
  for (let i = 0; i < 400; i += 1) write(`repo/src/file${i}.txt`, `line ${i}\n`.repeat(20))
  const git = (...args) =>
    execFileSync('git', ['-C', join(directory, 'repo'), ...args], {
      env: { ...process.env, ...ENVIRONMENT },
      stdio: 'ignore',
    })
  git('init', '-b', 'main')
  for (let i = 0; i < 6; i += 1) {
    write(
      'repo/changing.txt',
      Array.from({ length: 12 }, (_, n) => `row ${n} of version ${n % 3 === 0 ? i : 0}\n`).join(''),
    )
    git('add', '.')
    git('commit', '-m', `commit number ${i} with a subject that is rather long for a narrow terminal`)
  }
  write('repo/untracked.txt', 'x\n')
  write('project/package.json', '{ "name": "project", "version": "1.0.0" }\n')
  write('dep/package.json', '{ "name": "dep", "version": "1.0.0" }\n')
  write(
    'tests/test_it.py',
    'import pytest\n@pytest.mark.parametrize("i", range(60))\ndef test_ok(i): pass\ndef test_bad(): assert "日本" == "x"\n',
  )
  write('crate/Cargo.toml', '[package]\nname = "crate"\nversion = "0.1.0"\nedition = "2021"\n')
  write('crate/src/main.rs', 'fn main() {}\n#[test]\nfn works() {}\n')
  write('big.bin', Buffer.alloc(20_000_000))
  write('text.txt', `${'lorem ipsum dolor sit amet o '.repeat(4)}\nshort one\n${'o'.repeat(40)}\n${'o'.repeat(80)}\n`)
  write('bad.c', 'int main(void) { int unused = "x"; return undefined_name; }\n')
  write('Makefile', 'all:\n\t@echo building\n\tprintf "a\\n"\n\tfalse\n')
  write('cjk.txt', `${'これは日本語の長い行です。'.repeat(6)}\n中文字符测试 abc 한국어 텍스트\n${'a'.repeat(40)}日\n`)
  write('emoji.txt', '🎉 party 👍🏽 skin ❤️ heart e\u0301 combining ✅ done\n👩‍💻 zwj\n')
  write('data.json', '{"a":[1,2,{"b":null}],"text":"日本語"}')
}
