export type Task = 'sms' | 'otp' | 'airtime' | 'lookup'
export type Language = 'curl' | 'typescript'

type Call = { method: 'POST' | 'GET'; path: string; body?: Record<string, unknown> }

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
  return language === 'curl' ? curl(call, where) : typescript(call, where)
}

function callFor(task: Task, { sender_id }: Where): Call {
  switch (task) {
    case 'sms':
      return {
        method: 'POST',
        path: '/sms/send',
        body: {
          recipients: '2348031234567',
          ...(sender_id === undefined ? {} : { sender_id }),
          content: 'The drum is heard.',
        },
      }
    case 'otp':
      return { method: 'POST', path: '/otp/request_token', body: { recipient: '2348031234567', length: 6 } }
    case 'airtime':
      return { method: 'POST', path: '/airtime/buy', body: { network: 'MTN', amount: 100, recipient: '2348031234567' } }
    case 'lookup':
      return { method: 'GET', path: '/lookup/phone?phone=2348031234567' }
  }
}

function curl({ path, body }: Call, { origin, key }: Where): string {
  const lines = [`curl '${origin}${path}'`, `-H 'Authorization: ${key}'`]
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`)
  return lines.join(' \\\n  ')
}

function typescript({ method, path, body }: Call, { origin, key }: Where): string {
  const headers = body
    ? `{ authorization: '${key}', 'content-type': 'application/json' }`
    : `{ authorization: '${key}' }`
  const lines = [
    `const answer = await fetch('${origin}${path}', {`,
    `  method: '${method}',`,
    `  headers: ${headers},`,
    ...(body ? [`  body: JSON.stringify(${literal(body)}),`] : []),
    `})`,
    `console.log(answer.status, await answer.json())`,
  ]
  return lines.join('\n')
}

function literal(body: Record<string, unknown>): string {
  const fields = Object.entries(body).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : String(value)}`,
  )
  return `{ ${fields.join(', ')} }`
}
