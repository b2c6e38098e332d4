/** What `/proc/<pid>/task/<tid>/syscall` says: proc_pid_syscall(5). */
export type ThreadCall =
  | { readonly kind: 'running' }
  /** Blocked, but not in a system call (a page fault, for example). */
  | { readonly kind: 'outside' }
  | {
      readonly kind: 'blocked'
      readonly number: number
      /** Six argument registers as hexadecimal text: 64 bits do not fit a number. */
      readonly args: readonly string[]
      /** Whether the stack lies where only 32-bit programs have it. Their call numbers are those of another table. */
      readonly isCompat: boolean
    }

const REGISTER = /^0x[0-9a-f]{1,16}$/

/** @returns `undefined` for anything that is not one of the three documented forms. */
export function parseThreadCall(text: string): ThreadCall | undefined {
  const fields = text.trim().split(' ')
  if (fields.length === 1 && fields[0] === 'running') return { kind: 'running' }
  if (fields.length === 3 && fields[0] === '-1') return { kind: 'outside' }
  if (fields.length !== 9) return undefined
  const [number, ...registers] = fields
  if (number === undefined || !/^\d+$/.test(number)) return undefined
  if (!registers.every((register) => REGISTER.test(register))) return undefined
  const stack = registers[6] ?? ''
  return {
    kind: 'blocked',
    number: Number(number),
    args: registers.slice(0, 6),
    isCompat: stack.length <= '0xffffffff'.length,
  }
}

/** The low half of a register as the signed 32-bit value that a C `int` parameter has. */
export function parseIntArgument(register: string | undefined): number {
  return register === undefined ? -1 : Number.parseInt(register.slice(2).slice(-8), 16) | 0
}

/** A pointer; 0 is the null pointer. @returns `undefined` for an address that no user process has. */
export function parseAddress(register: string | undefined): number | undefined {
  if (register === undefined) return undefined
  const address = Number.parseInt(register.slice(2), 16)
  return Number.isSafeInteger(address) ? address : undefined
}
