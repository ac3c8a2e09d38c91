/**
 * Fills what stands between `<!-- figure: NAME -->` and `<!-- /figure -->` (invisible when rendered) from the text of
 * docs/benchmarks.md, so that no document contradicts the last run. A name is one of `ROUNDED`, or a row of
 * benchmarks.md, taken as it is: `part / row`, `part / row / row below it`, or `cores`.
 */
export function fillFigures(document: string, benchmarks: string): string {
  const rows = rowsOf(benchmarks)
  let filled = 0
  const text = document.replaceAll(MARKED, (_, start: string, name: string, end: string) => {
    filled += 1
    return `${start}${ROUNDED[name]?.(rows) ?? figureOf(rows, name)}${end}`
  })
  const marked = document.split('<!-- figure').length - 1
  if (filled !== marked) throw new Error('A figure is not between its two markers on one line.')
  return text
}

/** The text of docs/benchmarks.md with one part replaced by a separate run, or appended. */
export function putPart(benchmarks: string, part: string, where: string): string {
  const [head = '', ...lines] = part.trim().split('\n')
  const written = [head, '', where, ...lines].join('\n')
  const parts = benchmarks.trim().split(/\n+(?=## )/)
  const at = parts.findIndex((one) => one.startsWith(`${head}\n`))
  return `${(at < 0 ? [...parts, written] : parts.with(at, written)).join('\n\n')}\n`
}

const MARKED = /(<!-- figure: ([^>]+) -->)[^<\n]*(<!-- \/figure -->)/g

type Rows = Map<string, string>

const ONE = 'versus / Gangan, one process: one recipient a request'
const TWO = 'versus / Gangan, two processes: one recipient a request'
const LISTS = ['one process: 1,000 recipients a request, 8 connections', 'two processes: the same']
const LINE = 'smpp / 20,000 messages, one bind, window 100: taken'
const STORED = ['1,000', '100,000', '10,000,000']

/** For sentences. Rounded down, so that they never say more than was measured. */
const ROUNDED: Record<string, (rows: Rows) => string> = {
  'single sends of 128 callers': (rows) => rate(Math.max(...[ONE, TWO].map((name) => of128(rows, name)))),
  'single sends of 128 callers against Kannel': (rows) => ratio(of128(rows, `${TWO} / best, against Kannel`)),
  'recipients in lists': (rows) => rate(Math.max(...LISTS.map((name) => first(rows, `versus / Gangan, ${name}`)))),
  'end to end': (rows) => rate(first(rows, `${LINE} / from the first request to the last callback`)),
  'end to end against Kannel': (rows) =>
    ratio(first(rows, 'smpp / Kannel on the same line: taken / Gangan against it')),
  'processor time of a send, by messages stored': (rows) =>
    STORED.map((stored) => numbersOf(rows, `growth / one recipient a request, ${stored} messages stored`)[1]).join(
      ' · ',
    ),
}

/** Two digits that count: 14,349 is 14,000. */
function rate(figure: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(figure)) - 1)
  return (Math.floor(figure / unit) * unit).toLocaleString('en')
}

/** One decimal: 1.59 is 1.5. In tenths, because 1.1 × 10 is a little more than 11. */
function ratio(figure: number): string {
  return (Math.floor(Math.round(figure * 100) / 10) / 10).toFixed(1)
}

function of128(rows: Rows, name: string): number {
  return (
    numbersOf(rows, name)[numbersOf(rows, 'versus / connections').indexOf(128)] ?? missing(`${name}, 128 connections`)
  )
}

function first(rows: Rows, name: string): number {
  return numbersOf(rows, name)[0] ?? missing(name)
}

function numbersOf(rows: Rows, name: string): number[] {
  return [...figureOf(rows, name).matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
}

function figureOf(rows: Rows, name: string): string {
  return rows.get(name) ?? missing(name)
}

function missing(name: string): never {
  throw new Error(`docs/benchmarks.md has no figure "${name}": run all of npm run bench, with Kannel installed.`)
}

function rowsOf(benchmarks: string): Rows {
  const cores = /, (\d+) cores? \(/.exec(benchmarks)?.[1]
  const rows: Rows = new Map(cores === undefined ? [] : [['cores', cores]])
  let part = ''
  let above = ''
  for (const line of benchmarks.split('\n')) {
    part = /^## (.+)/.exec(line)?.[1] ?? part
    const [, below, what, figure] = /^\| (&emsp;)?(.+?) \| (.+) \|$/.exec(line) ?? []
    if (what === undefined || figure === undefined) continue
    if (below === undefined) above = what
    rows.set([part, above, ...(below === undefined ? [] : [what])].join(' / '), figure)
  }
  return rows
}
