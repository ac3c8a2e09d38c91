import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Treatment } from '../../src/emulators/vendor/vendor.ts'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import { decideConfig } from '../../src/config/config.ts'
import { temporaryFolder } from '../support/folder.ts'
import { ARRIVES, routeTo, startVendor } from '../support/http-vendor.ts'
import { person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const TO = '2348031234567'

type Message = { deliveries: { status: string; code?: string; refunded: boolean }[] }

async function send(service: TestService, recipients = TO, content = 'Hello'): Promise<string> {
  const answer = await service.call<{ id: string }>('POST', '/sms/send', { recipients, content })
  expect(answer.status).toBe(200)
  return answer.body.id
}

async function reaches(service: TestService, id: string, status: string): Promise<void> {
  await until(
    `it to be ${status}`,
    async () => {
      const { body } = await service.call<Message>('GET', `/sms/${id}`)
      return body.deliveries.every((delivery) => delivery.status === status)
    },
    30_000,
  )
}

/** A service with one vendor, and how the vendor treats messages. */
async function open(preset: string, treat?: () => Treatment, more: object = {}) {
  const vendor = await startVendor(preset, treat)
  const service = await openService({
    settings: { carriers: [{ ...vendor.settings('vendor'), ...more }], routes: [routeTo('vendor')] },
    config: { sandbox: true },
  })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  onTestFinished(async () => {
    await service.close()
    await vendor.close()
  })
  const post = async (what: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.url}/carriers/http/vendor/${what}`, { method: 'POST', body, headers })
  return { vendor, service, post }
}

describe('a report by post', () => {
  test('without its signature is rejected, and changes nothing', async () => {
    const { service, post, vendor } = await open('termii', () => ({ made: 'taken' }))
    const id = await send(service)
    await reaches(service, id, 'sent')
    const [taken] = vendor.taken
    const body = JSON.stringify({ type: 'outbound', message_id: taken?.id, receiver: TO, status: 'DELIVERED' })
    const sign = (text: string, key = 'tsk-of-the-emulator') => ({
      'x-termii-signature': createHmac('sha512', key).update(text).digest('hex'),
    })
    expect((await post('reports', body)).status).toBe(401)
    expect((await post('reports', body, sign(body, 'another'))).status).toBe(401)
    expect((await post('reports', `${body} `, sign(body))).status).toBe(401)
    expect((await post('reports', body, { 'x-termii-signature': '' })).status).toBe(401)
    const before = await service.call<Message>('GET', `/sms/${id}`)
    expect(before.body.deliveries[0]?.status).toBe('sent')
    expect((await post('reports', body, sign(body))).status).toBe(200)
    expect((await post('reports', body, sign(body))).status).toBe(200)
    await reaches(service, id, 'delivered')
  })

  test('needs the secret if the preset has no signature, and a known URL', async () => {
    const { service, post } = await open('africastalking', () => ({ made: 'taken' }))
    const body = 'id=1&status=Success&phoneNumber=%2B2348031234567'
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('reports', body, form)).status).toBe(401)
    expect((await post('reports?secret=wrong', body, form)).status).toBe(401)
    expect((await post('reports?secret=a-word-for-the-emulator', body, form)).status).toBe(200)
    const unknown = await fetch(`${service.url}/carriers/http/nobody/reports`, { method: 'POST', body })
    expect(unknown.status).toBe(404)
  })

  test('is accepted from the configured networks only', async () => {
    const { post } = await open('africastalking', undefined, { networks: ['192.0.2.0/24'] })
    expect((await post('reports?secret=a-word-for-the-emulator', 'id=1&status=Success')).status).toBe(401)
    const here = await open('africastalking', undefined, { networks: ['127.0.0.0/8'] })
    expect((await here.post('reports?secret=a-word-for-the-emulator', 'id=1&status=Success')).status).toBe(200)
  })

  test('may have several entries, is limited in size, and never causes an error', async () => {
    const { service, post, vendor } = await open('infobip', () => ({ made: 'taken' }))
    const id = await send(service, Array.from({ length: 30 }, (_, n) => String(2_348_031_000_000 + n)).join(','))
    await reaches(service, id, 'sent')
    expect(vendor.requests).toBeLessThan(30)
    const results = vendor.taken.map(({ own_id, to }) => ({
      messageId: own_id,
      to,
      status: { groupName: 'DELIVERED' },
    }))
    const known = 'reports?secret=a-word-for-the-emulator'
    expect((await post(known, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    for (const strange of [
      '',
      '[]',
      '{"results":',
      '{"results": {}}',
      '{"results": [null, 7, [], {"status": {}}]}',
      '\u0000',
    ]) {
      expect((await post(known, strange)).status).toBe(200)
    }
    expect((await post(known, JSON.stringify({ results }))).status).toBe(200)
    await reaches(service, id, 'delivered')
  })
})

describe('a vendor', () => {
  test('that rejects the credentials is paused until they are valid, and no message is lost', async () => {
    const { service, vendor } = await open('twilio', undefined, {
      credentials: { account_sid: 'AC00000000000000000000000000000019', auth_token: 'wrong' },
    })
    const id = await send(service)
    await until('the pause', async () => (await service.db`select 1 from carrier_pauses`).length === 1)
    expect(vendor.taken).toHaveLength(0)
    const { body } = await service.call<Message>('GET', `/sms/${id}`)
    expect(body.deliveries).toMatchObject([{ status: 'queued' }])
    expect(service.log_lines.map(({ sentence }) => sentence)).toContain('a carrier is paused: the operator has to act')
  })

  test('is `up` once it has answered, `down` if it does not answer, and `unknown` before', async () => {
    const { service, vendor } = await open('kannel', () => ARRIVES, { timeout_ms: 2_000 })
    const operator = await person(service, null)
    const state = async () => {
      const { body } = await operator.call<{ carriers: object[] }>('GET', '/console/api/carriers')
      return body.carriers[0]
    }
    expect(await state()).toMatchObject({ state: 'unknown', detail: 'Kannel; not called yet' })
    await reaches(service, await send(service), 'delivered')
    await expect.poll(state).toMatchObject({ state: 'up', detail: 'Kannel' })
    await vendor.close()
    await send(service)
    const detail = expect.stringMatching(/^Kannel; cannot be reached: ./)
    await expect.poll(state).toMatchObject({ state: 'down', detail })
  })

  test('returns its balance, which is stored, with a warning when it is low', async () => {
    const { service } = await open('termii', undefined, { low_balance: 5_000 })
    await until('the balance', async () => (await service.db`select 1 from carrier_balances`).length === 1)
    const [kept] = await service.db<
      { balance: string; currency: string }[]
    >`select balance::text, currency from carrier_balances`
    expect(kept).toEqual({ balance: '1047.5700', currency: 'NGN' })
    expect(service.log_lines.map(({ sentence }) => sentence)).toContain('the balance at a vendor is low')
  })

  test('that stops responding is backed off from, and the next carrier takes over', async () => {
    const smsc = await startSmsc()
    let is_dead = true
    const vendor = await startVendor('twilio', () => (is_dead ? { made: 'hangs' } : ARRIVES))
    const service = await openService({
      settings: {
        carriers: [{ ...vendor.settings('vendor'), timeout_ms: 500, connections: 4 }, smppCarrier(smsc.port)],
        routes: [routeTo('vendor', 'mtn')],
      },
      config: { sandbox: true },
    })
    onTestFinished(async () => {
      await service.close()
      await vendor.close()
      await smsc.stop()
    })
    vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
    const numbers = Array.from({ length: 60 }, (_, n) => String(2_348_031_000_000 + n))
    const id = await send(service, numbers.join(','))
    await until(
      'all of them to be submitted',
      async () => {
        const { body } = await service.call<Message>('GET', `/sms/${id}`)
        return body.deliveries.every(({ status }) => status === 'delivered' || status === 'unknown')
      },
      60_000,
    )
    is_dead = false
    const shown = smsc.handsets.shown.map(({ to }) => to)
    const at_vendor = vendor.taken.map(({ to }) => to)
    expect(shown.length).toBeGreaterThan(0)
    expect([...shown, ...at_vendor].sort()).toEqual(numbers)
  })

  test('that rejects a message because of its own account: the next carrier gets it', async () => {
    const smsc = await startSmsc()
    const vendor = await startVendor('vonage', () => ({ made: 'refused_here' }))
    const service = await openService({
      settings: { carriers: [vendor.settings('vendor'), smppCarrier(smsc.port)], routes: [routeTo('vendor', 'mtn')] },
      config: { sandbox: true },
    })
    onTestFinished(async () => {
      await service.close()
      await vendor.close()
      await smsc.stop()
    })
    const id = await send(service)
    await reaches(service, id, 'delivered')
    expect(vendor.taken).toHaveLength(0)
    expect(smsc.handsets.shown).toHaveLength(1)
  })

  test('delivers STOP, which opts the person out', async () => {
    const { service, vendor } = await open('kannel')
    expect(await vendor.sendText('t-1', TO, 'Gangan', 'STOP')).toBe(true)
    const rows = await service.db`select keyword from inbound_messages where "from" = ${TO}`
    expect(rows).toMatchObject([{ keyword: 'stop' }])
  })

  test('has a rate that all processes share', async () => {
    const { service, vendor } = await open('twilio', undefined, { rate_per_s: 20 })
    const id = await send(service, Array.from({ length: 50 }, (_, n) => String(2_348_031_000_000 + n)).join(','))
    await reaches(service, id, 'delivered')
    expect(vendor.taken).toHaveLength(50)
    const [bucket] = await service.db<
      { tokens: number }[]
    >`select tokens from queue_rates where queue = 'carrier:vendor'`
    expect(bucket?.tokens).toBeLessThan(20) // Of the burst of one second.
  })
})

describe("an operator's own preset", () => {
  const preset = `
vendor: Ours
credentials: { id: an id, secret: a secret }
options: { base_url: http://127.0.0.1:1 }
auth: { kind: oauth, url: "{{options.base_url}}/token", client_id: "{{credentials.id}}", client_secret: "{{credentials.secret}}" }
send:
  url: "{{options.base_url}}/send"
  json: { to: "{{message.to}}", text: "{{message.text}}" }
  answer:
    outcomes:
      - { when: { status: 200 }, outcome: accepted, id: body.id }
`

  test('with OAuth: a token that expired early is fetched again, and the message is sent once', async () => {
    const folder = await temporaryFolder()
    const path = join(folder.path, 'ours.yaml')
    await writeFile(path, preset)
    let tokens = 0
    const sent: string[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const answer = (status: number, json: object) => void response.writeHead(status).end(JSON.stringify(json))
        if (request.url === '/token') return answer(200, { access_token: `t${(tokens += 1)}`, expires_in: 3_600 })
        if (request.headers.authorization !== 'Bearer t2') return answer(401, {})
        sent.push(Buffer.concat(chunks).toString())
        answer(200, { id: `m${sent.length}` })
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const carrier = {
      kind: 'http',
      name: 'ours',
      file: path,
      credentials: { id: 'a', secret: 'b' },
      options: { base_url },
    }
    const service = await openService({
      settings: { carriers: [carrier], routes: [routeTo('ours')] },
      config: { sandbox: true },
    })
    onTestFinished(async () => {
      await service.close()
      server.close()
      await folder.remove()
    })
    const id = await send(service)
    await reaches(service, id, 'sent')
    expect(sent).toEqual([JSON.stringify({ to: TO, text: 'Hello' })])
    expect(tokens).toBe(2)
  })

  test('reports all its errors together, each with its position', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const path = join(folder.path, 'faulty.yaml')
    const faulty = preset
      .replace('{{message.to}}', '{{message.to | shout}}')
      .replace('id: body.id', 'id: nothing.id')
      .replace('url: "{{options.base_url}}/send"', 'url: "{{options.base_url/send"')
    await writeFile(path, faulty)
    const carriers = [
      { kind: 'http', name: 'a', file: path, credentials: { id: 'x', other: 'y' } },
      { kind: 'http', name: 'b', preset: 'nobody' },
      { kind: 'http', name: 'c', preset: 'termii', file: path },
      {
        kind: 'http',
        name: 'd',
        preset: 'africastalking',
        credentials: { username: 'x', api_key: 'y', report_secret: 'short' },
      },
    ]
    const decide = () => decideConfig({}, { carriers, routes: [{ name: 'r', channel: 'sms', carriers: ['a', 'b'] }] })
    for (const fault of [
      'carriers.0.credentials.secret: Ours needs it: a secret',
      'carriers.0.credentials.other: Ours has no such; it has id, secret',
      'send.json.to: {{message.to | shout}} has the filter shout',
      'send.url: has {{ without }}',
      'send.answer.outcomes.0.id: nothing.id begins with none of',
      'carriers.1.preset: presets/nobody.yaml cannot be read',
      'carriers.2.preset: name either a preset or a file',
      'wants a secret of at least 16 characters',
    ]) {
      expect(decide).toThrow(fault)
    }
  })
})

test('a messaging service of Twilio chooses the sender: no From is sent', async () => {
  const vendor = await startVendor('twilio')
  const settings = vendor.settings('vendor') as { options?: object }
  const options = { ...settings.options, messaging_service_sid: `MG${'0'.repeat(32)}` }
  const service = await openService({
    settings: { carriers: [{ ...settings, options }], routes: [routeTo('vendor')] },
    config: { sandbox: true },
  })
  onTestFinished(async () => {
    await service.close()
    await vendor.close()
  })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  await reaches(service, await send(service), 'delivered')
  expect(vendor.taken.map(({ from }) => from)).toEqual([''])
})
