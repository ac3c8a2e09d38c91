import { t } from '../text/text.ts'

export type Language = 'curl' | 'typescript' | 'python' | 'php'

export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'php', label: 'PHP' },
]

/** A POST, and what the clients call it. */
export type Call = { path: string; method: string; body: Record<string, unknown> }

type Task = 'sms' | 'otp' | 'airtime' | 'lookup'

/** A first call of each kind. */
export const CALLS: Record<Task, Call> = {
  sms: {
    method: 'sms.send',
    path: '/sms/send',
    body: { recipients: '2348031234567', content: 'The drum is heard.' },
  },
  otp: { method: 'otp.request', path: '/otp/request_token', body: { recipient: '2348031234567', length: 6 } },
  airtime: {
    method: 'airtime.buy',
    path: '/airtime/buy',
    body: { network: 'MTN', amount: 100, recipient: '2348031234567' },
  },
  lookup: { method: 'lookup.phone', path: '/lookup/phone', body: { phone: '2348031234567' } },
}

export const TASKS: readonly { value: Task; label: string }[] = [
  { value: 'sms', label: t('Message') },
  { value: 'otp', label: 'OTP' },
  { value: 'airtime', label: t('Airtime') },
  { value: 'lookup', label: t('Lookup') },
]

type Where = { origin: string; key: string }

/** A call as a program against this very service, by the client of the language. The clients are in `clients/`. */
export function snippet(call: Call, language: Language, where: Where): string {
  return WRITERS[language](call, where)
}

const WRITERS: Record<Language, (call: Call, where: Where) => string> = {
  curl: ({ path, body }, { origin, key }) =>
    [
      `curl ${shell(`${origin}${path}`)}`,
      `-H ${shell(`Authorization: ${key}`)}`,
      `-H 'Content-Type: application/json'`,
      `-d ${shell(JSON.stringify(body))}`,
    ].join(' \\\n  '),
  typescript: ({ method, body }, { origin, key }) =>
    [
      "import { Gangan } from 'gangan-client'",
      '',
      `const gangan = new Gangan({ key: ${single(key)}, url: ${single(origin)} })`,
      `console.log(await gangan.${method}(${typescript(body)}))`,
    ].join('\n'),
  python: ({ method, body }, { origin, key }) =>
    [
      'from gangan import Gangan',
      '',
      `gangan = Gangan(${JSON.stringify(key)}, ${JSON.stringify(origin)})`,
      `print(gangan.${method}(${pairs(body, (name, value) => `${name}=${python(value)}`)}))`,
    ].join('\n'),
  php: ({ method, body }, { origin, key }) =>
    [
      '<?php',
      "require 'vendor/autoload.php';",
      '',
      `$gangan = new Gangan\\Gangan(${single(key)}, ${single(origin)});`,
      `print_r($gangan->${method.replace('.', '->')}(${php(body)}));`,
    ].join('\n'),
}

function pairs(body: object, write: (name: string, value: unknown) => string): string {
  return Object.entries(body)
    .map(([name, value]) => write(name, value))
    .join(', ')
}

/** Within single quotes a shell takes everything as it stands, but for the quote itself. */
function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** As TypeScript and PHP both read it; the first only where the text is one line. */
function single(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

const NAME = /^[A-Za-z_]\w*$/

function typescript(value: unknown): string {
  if (typeof value === 'string') return /[\r\n\u2028\u2029]/.test(value) ? JSON.stringify(value) : single(value)
  if (Array.isArray(value)) return `[${value.map(typescript).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${pairs(value, (name, part) => `${NAME.test(name) ? name : single(name)}: ${typescript(part)}`)} }`
}

/** A text of JSON is one of Python, too. */
function python(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (value === null || value === undefined) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${pairs(value, (name, part) => `${JSON.stringify(name)}: ${python(part)}`)}}`
}

function php(value: unknown): string {
  if (typeof value === 'string') return single(value)
  if (Array.isArray(value)) return `[${value.map(php).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `[${pairs(value, (name, part) => `${single(name)} => ${php(part)}`)}]`
}
