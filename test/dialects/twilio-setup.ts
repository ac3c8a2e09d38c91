import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import twilio from 'twilio'
import { makeAuthTokenOf } from '../../src/organisations/auth-token.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { PEPPER } from '../support/secret-seal.ts'
import type { Organisation, TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

export type Login = { account_sid: string; auth_token: string; key_id: string }

/** Account SID and auth token of an organisation's newest key, as the console and the command line show them. */
export async function loginOf(service: TestService, owner: Organisation): Promise<Login> {
  const [row] = await service.db<{ id: string }[]>`
    select id from api_keys where organisation_id = ${owner.id} and revoked_datetime is null order by id desc limit 1`
  const key_id = row?.id ?? ''
  const auth_token = makeAuthTokenOf(pepperKeys(PEPPER).auth_token_key)(key_id)
  return { account_sid: `AC${owner.id.replaceAll('-', '')}`, auth_token, key_id }
}

/** Twilio's own client, with nothing changed but the address it calls. */
export function clientOf(service: TestService, account_sid: string, auth_token: string) {
  const client = twilio(account_sid, auth_token, { autoRetry: false })
  client.api.baseUrl = service.url
  client.verify.baseUrl = service.url
  client.lookups.baseUrl = service.url
  return client
}

export type Posted = {
  method: string
  path: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  params: Record<string, string>
}

/** An application's endpoint that accepts forms and answers as configured. */
export async function startApplication() {
  const posted: Posted[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const path = request.url ?? ''
      const one = {
        method: request.method ?? '',
        path,
        url: application.url + path,
        headers: request.headers,
        body,
        params: Object.fromEntries(new URLSearchParams(body)),
      }
      posted.push(one)
      const { status = 200, text = '', type = 'text/xml' } = application.answer(one)
      response.writeHead(status, { 'content-type': type }).end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const application = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    answer: (_one: Posted): { status?: number; text?: string; type?: string } => ({}),
    wait: (count: number) => until(`${count} posts`, () => (posted.length >= count ? posted : undefined)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return application
}
