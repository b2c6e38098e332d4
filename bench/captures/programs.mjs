/** Programs whose terminal output is recorded. Each runs in the prepared directory of `prepare.mjs`. */

const tqdmLike = `
import sys, time
for i in range(0, 101, 4):
    bar = '█' * (i // 5) + ' ' * (20 - i // 5)
    sys.stderr.write(f'\\rtraining: {i:3d}%|{bar}| {i}/100 [00:0{i // 20}<00:01, 9.1it/s]')
    sys.stderr.flush()
sys.stderr.write('\\ndone\\n')
`
const layers = `
import sys
names = ['4f4fb700ef54', '5c939e3a4d10', 'c63719cdbe7a']
for n in names: print(f'{n}: Waiting')
for step in range(0, 101, 20):
    for row, n in enumerate(names):
        up = len(names) - row
        sys.stdout.write(f'\\x1b[{up}A\\r\\x1b[2K{n}: Downloading [{"=" * (step // 10)}>] {step}MB/100MB\\r\\x1b[{up}B')
for row, n in enumerate(names):
    up = len(names) - row
    sys.stdout.write(f'\\x1b[{up}A\\r\\x1b[2K{n}: Pull complete\\r\\x1b[{up}B')
print('Status: Downloaded')
`
const spinner = `
import sys
for i in range(40): sys.stdout.write('\\r' + '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[i % 10] + ' resolving packages\\x1b[K')
sys.stdout.write('\\r\\x1b[K✔ resolved 212 packages\\n')
`
const richBar = `
from pip._vendor.rich.progress import Progress
from pip._vendor.rich.console import Console
with Progress(console=Console(force_terminal=True, width=70), auto_refresh=False) as p:
    t = p.add_task('wheel', total=20)
    for _ in range(20):
        p.update(t, advance=1, refresh=True)
print('Successfully installed')
`
const server = 'python3 -m http.server -b 127.0.0.1 8765 >server.log 2>&1 & sleep 1; '
const stopServer = '; kill %1; wait 2>server.log'

const sh = (script) => ['bash', ['--norc', '-c', script]]
const python = (script) => ['python3', ['-c', script]]

/** Keys typed into a line editor, each after the text before it has been shown. */
const C_A = '\x01'
const C_E = '\x05'
const C_W = '\x17'
const C_U = '\x15'
const C_C = '\x03'
const C_D = '\x04'
const LEFT = '\x1b[D'
const UP = '\x1b[A'
const long = 'echo the quick brown fox jumps over the lazy dog and runs far away from here today'
const editing = [
  ['$ ', `${long}\r`],
  ['today\r\n', UP],
  ['', `${C_A}${LEFT}`],
  ['', '# '],
  ['', `${C_E} and more`],
  ['', `${C_W}${C_W}`],
  ['', '\r'],
  ['$ ', `${UP}${UP}`],
  ['', `${LEFT.repeat(30)}XYZ`],
  ['', '\x7f\x7f\x7f'],
  ['', '\r'],
  ['$ ', 'echo 日本語テキストをここに書いて折り返しを見る編集する'],
  ['', `${LEFT.repeat(4)}あ`],
  ['', '\r'],
  ['$ ', `typo${C_U}echo ok\r`],
  ['ok\r\n', `sleep 5${C_C}`],
  ['', 'exit\r'],
]
const bash = ['bash', ['--norc', '--noprofile']]

export const PROGRAMS = [
  { name: 'git-log', run: sh('git -C repo --no-pager log --graph --oneline --color=always') },
  { name: 'git-diff', run: sh('git -C repo --no-pager diff --color=always HEAD~3') },
  { name: 'git-status', run: sh('git -C repo status') },
  { name: 'git-clone', run: sh('git clone --progress --no-local repo clone') },
  { name: 'ls-color', run: sh('ls --color=always -C files; ls --color=always -C /usr/bin | head -20') },
  { name: 'apt-help', run: sh('apt-get --help') },
  { name: 'apt-list', run: sh('apt list bash coreutils 2>/dev/null | cut -c1-60') },
  { name: 'dpkg-list', run: sh('dpkg -l bash coreutils grep | cat') },
  { name: 'npm-install', run: sh('cd project && npm install --offline --no-audit --no-fund ../dep') },
  { name: 'pip-progress', run: python(richBar) },
  { name: 'pytest', run: sh('pytest --color=yes -p no:cacheprovider tests') },
  { name: 'cargo-build', run: sh('cd crate && cargo build --offline --color=always && cargo test --color=always') },
  { name: 'wget', run: sh(`${server}wget -O got http://127.0.0.1:8765/big.bin${stopServer}`) },
  { name: 'curl', run: sh(`${server}curl -o got http://127.0.0.1:8765/big.bin${stopServer}`) },
  { name: 'dd', run: sh('dd if=/dev/zero of=zeros bs=1M count=60 status=progress') },
  { name: 'grep-color', columns: 40, run: sh('grep --color=always -n o text.txt') },
  { name: 'gcc-error', run: sh('gcc -fdiagnostics-color=always -c bad.c') },
  { name: 'make', run: sh('make -f Makefile') },
  { name: 'cjk', columns: 41, run: sh('cat cjk.txt') },
  { name: 'emoji', run: sh('cat emoji.txt') },
  { name: 'tabs', run: sh("printf 'a\\tbb\\tccc\\n\\tindented\\n'; cat Makefile") },
  { name: 'jq-color', run: sh('jq -C . data.json') },
  { name: 'man', run: sh('MANPAGER=cat man true || true | head -50') },
  { name: 'zip', run: sh('zip -r files.zip files') },
  { name: 'tar', run: sh('tar cvf files.tar files') },
  { name: 'tqdm-like', run: python(tqdmLike) },
  { name: 'layers', run: python(layers) },
  { name: 'spinner', run: python(spinner) },
  { name: 'bash-editing-40', columns: 40, run: bash, keys: editing },
  { name: 'bash-editing-80', columns: 80, run: bash, keys: editing },
  { name: 'bash-editing-120', columns: 120, run: bash, keys: editing },
  {
    name: 'python-repl',
    run: ['python3', ['-q']],
    keys: [
      ['>>> ', 'print("a" * 70, 1 + 1)\r'],
      ['>>> ', `${UP}${C_A}x = 1; \r`],
      ['>>> ', 'def f():\r'],
      ['... ', '    return 5\r'],
      ['... ', '\r'],
      ['>>> ', 'f()\r'],
      ['>>> ', `sleep${C_C}`],
      ['>>> ', C_D],
    ],
  },
  {
    name: 'node-repl',
    run: ['node', ['--no-warnings', '-i']],
    keys: [
      ['> ', '[1, 2, 3].map((x) => x * 2)\r'],
      [']', `${UP}${C_A}`],
      ['', '// '],
      ['', '\r'],
      ['', '.exit\r'],
    ],
  },
  {
    name: 'sqlite-repl',
    run: ['sqlite3', []],
    keys: [
      ['sqlite> ', '.mode box\r'],
      ['sqlite> ', "select 1 as one, 'zwei' as two;\r"],
      ['sqlite> ', '.quit\r'],
    ],
  },
]
