import type { Large } from './large.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=b'
const CSV = 'text/csv'

const fill = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / Buffer.byteLength(text)))

/** The content of a field. */
const FIELD_FILLINGS: Record<string, string> = {
  x: 'x',
  plus: '+',
  'percent signs': '%',
  'encoded octets': '%e9',
  'encoded NULs': '%00',
  digits: '0',
  'numbers and blanks': '08031234567+',
  placeholders: '%7B%7Ba%7D%7D',
  links: 'https://a.example/+',
}

/** The content of a form. */
const FORM_FILLINGS: Record<string, string> = {
  ampersands: '&',
  'equals signs': '=',
  'fields of one name': 'a=b&',
  brackets: 'a[b][]=c&',
}

/** Forms with each field of a valid one filled up, and with too many fields. */
export function largeForms(path: string, good: Record<string, string>, bytes: number): Large[] {
  const rest = new URLSearchParams(good).toString().length + 200
  const filled = Object.keys(good).flatMap((name) =>
    Object.entries(FIELD_FILLINGS).map(([what, text]): Large => {
      const others = new URLSearchParams(Object.entries(good).filter(([other]) => other !== name)).toString()
      const body = (): string => `${others}&${name}=${fill(text, bytes - rest)}`
      return { input: `${name}: text of ${what}`, path, type: FORM, body }
    }),
  )
  const many = Object.entries(FORM_FILLINGS).map(([what, text]): Large => ({
    input: `form of ${what}`,
    path,
    type: FORM,
    body: () => fill(text, bytes),
  }))
  return [...filled, ...many]
}

const part = (name: string, value: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

export function largeMultipart(path: string, good: Record<string, string>, bytes: number): Large[] {
  const [name = 'a'] = Object.keys(good)
  const bodies: Record<string, () => string> = {
    'many parts': () => `${fill(part('a', '1'), bytes - 10)}--b--`,
    'one long part': () => `${part(name, fill('x', bytes - 200))}--b--`,
    'one long part of octets': () => `${part(name, fill('é', bytes - 200))}--b--`,
    'a part that does not end': () => part(name, fill('\r\n--', bytes - 200)),
    'a head that does not end': () => `--b\r\n${fill('a: b\r\n', bytes - 10)}`,
    'boundaries only': () => fill('--b', bytes),
    'line breaks': () => fill('\r\n', bytes),
  }
  return Object.entries(bodies).map(([input, body]) => ({ input: `multipart: ${input}`, path, type: MULTIPART, body }))
}

const CSV_FILLINGS: Record<string, string> = {
  'line feeds': '\n',
  'carriage returns': '\r',
  'both line ends': '\r\n',
  blanks: ' ',
  'lines of a blank': ' \n',
  'lines of one character': 'a\n',
  commas: ',',
  'lines of commas': ',,,,,,,,,,\n',
  quotes: '"',
  'empty quoted fields': '"",',
  'lines of a quote': '"\n',
  'all delimiters': ';,\t|',
  numbers: '08031234567\n',
  'two bytes each': 'é',
  NULs: '\0',
}

export function largeCsv(path: string, bytes: number): Large[] {
  return Object.entries(CSV_FILLINGS).flatMap(([what, text]) =>
    ['', 'Mobile,Name\n'].map((head): Large => ({
      input: `csv of ${what}${head === '' ? '' : ' behind a head'}`,
      path,
      type: CSV,
      body: () => head + fill(text, bytes - head.length),
    })),
  )
}
