import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import type { Role } from '../../src/users/roles.ts'
import type { Answer, TestService } from './service.ts'

export type Person = {
  id: string
  email: string
  password: string
  cookie: string
  csrf: string
  /** Calls with the session, like the console's page. */
  call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ) => Promise<Answer<T>>
}

export const PASSWORD = 'a drum that talks'

type SessionBody = { csrf_token: string; user: { id: string; email: string } }

let people = 0

/** A user who was invited and has chosen a password; null: an operator. */
export async function person(
  service: TestService,
  organisation_id: string | null,
  chosen = organisation_id,
  role: Role = 'owner',
): Promise<Person> {
  people += 1
  const email = `person-${people}@example.com`
  const { token } = await inviteUser(service, COMMAND_LINE, { email, organisation_id, role })
  const answer = await post(service, '/console/api/welcome', { token, password: PASSWORD })
  return personOf(service, answer as Answer<SessionBody>, chosen)
}

/** Signs in again: another session of the same user. */
export async function loginAs(service: TestService, { email, password }: Person, chosen?: string): Promise<Person> {
  const answer = await post(service, '/console/api/login', { email, password })
  return personOf(service, answer as Answer<SessionBody>, chosen ?? null)
}

/** A call without a session. */
export async function post<T = Record<string, unknown>>(
  service: TestService,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  return send<T>(service.url + path, 'POST', body, headers)
}

export function personOf(service: TestService, answer: Answer<SessionBody>, chosen: string | null): Person {
  if (answer.status !== 200) throw new Error(`no session: ${answer.text}`)
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const csrf = answer.body.csrf_token
  return {
    id: answer.body.user.id,
    email: answer.body.user.email,
    password: PASSWORD,
    cookie,
    csrf,
    call: (method, path, body, headers = {}) =>
      send(service.url + path, method, body, {
        cookie,
        ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }),
        ...(chosen === null ? {} : { 'x-organisation-id': chosen }),
        ...headers,
      }),
  }
}

async function send<T>(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string | undefined>,
): Promise<Answer<T>> {
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...Object.fromEntries(given) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) as T }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
