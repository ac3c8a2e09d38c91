import { typedNumber } from '../../ui/Phone.tsx'

/** Lines of a file that are read here; the estimate reads all of them. */
const MOST_READ = 5_000

export type Problem = { line: number; value: string; kind: 'missing' | 'invalid' | 'twice' }

export type FileRead = {
  rows: number
  columns: string[]
  /** The column with the numbers. */
  numbers: string
  problems: Problem[]
  /** Rows that were examined for problems. */
  examined: number
}

/** As the service finds the column; without one of these it is the first. */
const NUMBER_NAMES = new Set([
  'phone',
  'phone number',
  'phonenumber',
  'phone_number',
  'mobile phone',
  'gsm',
  'mobile',
  'mobile number',
  'msisdn',
  'number',
  'tel',
  'telephone',
  'cell',
  'cellphone',
  'whatsapp',
  'to',
  'recipient',
])

/** The rows and columns of a file of recipients, and what is wrong with its numbers. */
export function readFile(csv: string, country: string): FileRead {
  const [head = [], ...rows] = readRows(csv)
  const columns = head.map((name) => name.trim())
  const place = Math.max(
    0,
    columns.findIndex((name) => NUMBER_NAMES.has(name.toLowerCase())),
  )
  const seen = new Set<string>()
  const problems: Problem[] = []
  for (const [n, row] of rows.slice(0, MOST_READ).entries()) {
    const value = (row[place] ?? '').trim()
    const number = typedNumber(value, country)
    const kind = value === '' ? 'missing' : number === undefined ? 'invalid' : seen.has(number) ? 'twice' : undefined
    if (kind) problems.push({ line: n + 2, value, kind })
    if (number !== undefined) seen.add(number)
  }
  const examined = Math.min(rows.length, MOST_READ)
  return { rows: rows.length, columns, numbers: columns[place] ?? '', problems, examined }
}

function readRows(csv: string): string[][] {
  const text = csv.replace(/^\ufeff/, '')
  const first = text.slice(0, text.indexOf('\n') === -1 ? text.length : text.indexOf('\n'))
  const delimiter = [';', '\t'].find((each) => first.split(each).length > first.split(',').length) ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  for (let n = 0; n < text.length; n += 1) {
    const letter = text.charAt(n)
    if (quoted) {
      if (letter !== '"') field += letter
      else if (text.charAt(n + 1) === '"') {
        field += '"'
        n += 1
      } else quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === delimiter) {
      row.push(field)
      field = ''
    } else if (letter === '\n') {
      rows.push([...row, field])
      row = []
      field = ''
    } else if (letter !== '\r') field += letter
  }
  if (field !== '' || row.length > 0) rows.push([...row, field])
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
}
