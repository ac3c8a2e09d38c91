/** Which modules are turned over, so that no large plain areas or false marks arise. */
export const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** How hard a code is to read: long runs, plain squares, what looks like a corner, and too much of one colour. */
export function penalty(modules: readonly (readonly boolean[])[]): number {
  const rows = modules.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(''))
  const lines = [...rows, ...columns]
  const dark = rows.join('').replaceAll('0', '').length
  const off_balance = Math.abs((dark * 100) / rows.length ** 2 - 50)
  return (
    sum(lines.map(runs)) +
    3 * sum(rows.slice(1).map((row, y) => squares(rows[y] ?? '', row))) +
    40 * sum(lines.map((line) => (line.match(FALSE_CORNER) ?? []).length)) +
    10 * Math.floor(off_balance / 5)
  )
}

/** Those that overlap count, too: hence the looking ahead. */
const FALSE_CORNER = /(?=10111010000|00001011101)/g

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const runs = (line: string) => sum((line.match(/0{5,}|1{5,}/g) ?? []).map(({ length }) => length - 2))

function squares(above: string, below: string): number {
  let count = 0
  for (let x = 1; x < above.length; x += 1) {
    const one = above[x]
    if (above[x - 1] === one && below[x - 1] === one && below[x] === one) count += 1
  }
  return count
}
