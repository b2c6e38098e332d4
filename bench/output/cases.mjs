/** Commands that print a lot. `scale` is 1 for a full run. */
const count = (full, scale) => Math.round(full * scale)

export const CASES = {
  base64: (scale) => `head -c ${count(50_000_000, scale)} /dev/urandom | base64`,
  seq: (scale) => `seq 1 ${count(2_000_000, scale)}`,
  progress: (scale) =>
    `awk 'BEGIN { b = "##############################"; for (i = 0; i < ${count(400_000, scale)}; i++) printf "\\rDownloading %d of 400000 [%-30s]", i, substr(b, 1, i % 31) }'`,
  'one line': (scale) => `head -c ${count(200_000_000, scale)} /dev/zero | tr '\\0' x`,
  colours: (scale) =>
    `awk 'BEGIN { for (i = 0; i < ${count(300_000, scale)}; i++) printf "\\033[01;34mdir%d\\033[0m  \\033[01;32mrun.sh\\033[0m  file.txt\\n", i }'`,
}

export const SIZE = { columns: 120, rows: 30 }
