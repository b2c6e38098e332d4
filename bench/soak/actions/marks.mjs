/** Lines that a command prints and that its own text does not contain: an echo can never be taken for output. */

export const printMark = (word, number) => `printf '%s-%s\\n' ${word} ${number}`

export function printMarks(word, count, pauseMs = 0) {
  const pause = pauseMs === 0 ? '' : `; sleep ${pauseMs / 1000}`
  return `for i in $(seq ${count}); do ${printMark(word, '$i')}${pause}; done`
}

export const markLines = (word, count) => Array.from({ length: count }, (_, index) => `${word}-${index + 1}`)
