export type Task = 'sms' | 'otp' | 'airtime' | 'lookup'
export type Language = 'curl' | 'typescript' | 'python' | 'php'

export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'php', label: 'PHP' },
]

/** A POST, and what the clients call it. */
type Call = { path: string; method: string; body: Record<string, unknown> }

export const TASKS: readonly { task: Task; title: string }[] = [
  { task: 'sms', title: 'Message' },
  { task: 'otp', title: 'OTP' },
  { task: 'airtime', title: 'Airtime' },
  { task: 'lookup', title: 'Lookup' },
]

type Where = { origin: string; key: string; sender_id: string | undefined }

/** A call that works as it stands against this very service. */
export function snippet(task: Task, language: Language, where: Where): string {
  const call = callFor(task, where)
  return language === 'curl' ? curl(call, where) : WRITERS[language](call, where)
}

function callFor(task: Task, { sender_id }: Where): Call {
  switch (task) {
    case 'sms':
      return {
        method: 'sms.send',
        path: '/sms/send',
        body: {
          recipients: '2348031234567',
          ...(sender_id === undefined ? {} : { sender_id }),
          content: 'The drum is heard.',
        },
      }
    case 'otp':
      return { method: 'otp.request', path: '/otp/request_token', body: { recipient: '2348031234567', length: 6 } }
    case 'airtime':
      return {
        method: 'airtime.buy',
        path: '/airtime/buy',
        body: { network: 'MTN', amount: 100, recipient: '2348031234567' },
      }
    case 'lookup':
      return { method: 'lookup.phone', path: '/lookup/phone', body: { phone: '2348031234567' } }
  }
}

function curl({ path, body }: Call, { origin, key }: Where): string {
  const lines = [
    `curl '${origin}${path}'`,
    `-H 'Authorization: ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ]
  return lines.join(' \\\n  ')
}

/** The clients are in the folder `clients` of the source. */
const WRITERS: Record<Exclude<Language, 'curl'>, (call: Call, where: Where) => string> = {
  typescript: ({ method, body }, { origin, key }) =>
    [
      "import { Gangan } from 'gangan-client'",
      '',
      `const gangan = new Gangan({ key: '${key}', url: '${origin}' })`,
      `console.log(await gangan.${method}({ ${pairs(body, (name, value) => `${name}: ${value}`, "'")} }))`,
    ].join('\n'),
  python: ({ method, body }, { origin, key }) =>
    [
      'from gangan import Gangan',
      '',
      `gangan = Gangan("${key}", "${origin}")`,
      `print(gangan.${method}(${pairs(body, (name, value) => `${name}=${value}`, '"')}))`,
    ].join('\n'),
  php: ({ method, body }, { origin, key }) =>
    [
      '<?php',
      "require 'vendor/autoload.php';",
      '',
      `$gangan = new Gangan\\Gangan('${key}', '${origin}');`,
      `print_r($gangan->${method.replace('.', '->')}([${pairs(body, (name, value) => `'${name}' => ${value}`, "'")}]));`,
    ].join('\n'),
}

/** The words of the examples have no quotes in them. */
function pairs(body: Call['body'], write: (name: string, value: string) => string, quote: string): string {
  return Object.entries(body)
    .map(([name, value]) => write(name, typeof value === 'string' ? `${quote}${value}${quote}` : String(value)))
    .join(', ')
}
