import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Erasure } from '../../src/people/schema.ts'
import { spellingsOf } from '../../src/people/spellings.ts'
import { newId } from '../../src/values/id.ts'
import { campaignOf, estimated, reached } from '../support/campaign.ts'
import { dump } from '../support/person-data.ts'
import { runGangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A word that is in every text to and from the person, and in nobody else's. */
const WORD = 'zebrafish'
const OTHER = '2348057654321'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService({ credit: 100_000 })
  receiver = await startReceiver()
})

afterAll(async () => {
  await receiver.close()
  await service.close()
})

let people = 0
/** Somebody nobody else is, as digits and as they would write it. */
function somebody(): { number: string; national: string; spaced: string } {
  people += 1
  const end = String(1_000_000 + people * 7_919).slice(-7)
  return {
    number: `234803${end}`,
    national: `0803${end}`,
    spaced: `+234 (0) 803 ${end.slice(0, 3)}-${end.slice(3)}`,
  }
}

async function erased(by: Organisation, phone: string): Promise<Erasure> {
  const asked = await by.call<Erasure>('POST', '/people/erasures', { phone })
  expect([asked.status, asked.text]).toEqual([200, expect.any(String)])
  return until('the erasure to end', async () => {
    const { body } = await by.call<Erasure>('GET', `/people/erasures/${asked.body.id}`)
    return body.status === 'done' && body
  })
}

async function auditIsClean(): Promise<void> {
  const { code, stdout, stderr } = await runGangan(['balance', 'audit'], { DATABASE_URL: service.database.url })
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)])
}

/** Where the number or the word stands. */
async function traces(number: string, word = WORD): Promise<string[]> {
  const spelled = spellingsOf(number)
  const found = (await dump(service.db)).filter(({ row }) => spelled.isIn(row) || row.includes(word))
  return found.map(({ table, row }) => `${table}: ${row.slice(0, 300)}`)
}

describe('erasing a person', () => {
  test('leaves neither number nor text anywhere, and the money as it was', async () => {
    const by = await service.organisation({ credit: 10_000 })
    const { number, national, spaced } = somebody()
    const callback = `${receiver.url}/hook?to=${number}`
    receiver.answer = ({ body }) => (body.includes(number) && body.includes('undelivered') ? 500 : 200)
    await fill(by, { number, national, spaced, callback })
    await until('all to be told', async () => {
      const waits = await service.db`select 1 from deliveries where organisation_id = ${by.id} and status = 'sent'`
      return waits.length === 0
    })
    expect(new Set((await traces(number)).map((one) => one.split(':')[0])).size).toBeGreaterThan(30)
    const before = await by.call<{ balance: number }>('GET', '/balance')

    const receipt = await erased(by, spaced)
    expect(await traces(number)).toEqual([])
    expect(receipt).toMatchObject({ number_hash: expect.stringMatching(/^erased-[0-9a-f]{32}$/) })
    expect(receipt.found.length).toBeGreaterThan(30)
    expect(receipt.waits_for).toBeUndefined()
    await auditIsClean()
    // The scheduled one was canceled, and what it cost is back.
    const after = await by.call<{ balance: number }>('GET', '/balance')
    expect(after.body.balance - before.body.balance).toBe(4)

    // Nobody else lost anything.
    const rest = (await dump(service.db)).filter(({ row }) => row.includes(OTHER) || row.includes('Bola'))
    expect(rest.map(({ table }) => table)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^deliveries/), 'contact_rows', 'optouts']),
    )
    const again = await erased(by, number)
    expect(again.found).toEqual([])
    expect(again.number_hash).toBe(receipt.number_hash)
    const list = await by.call<{ erasures: Erasure[] }>('GET', `/people/erasures?number_hash=${receipt.number_hash}`)
    expect(list.body.erasures.map(({ id }) => id)).toEqual([again.id, receipt.id])
    expect((await service.db`select 1 from erasures where sealed_number is not null`).length).toBe(0)
  })
})

/** Through the front door wherever there is one; what only carriers and other processes write, by hand. */
async function fill(
  by: Organisation,
  { number, national, spaced, callback }: { number: string; national: string; spaced: string; callback: string },
): Promise<void> {
  const ok = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await by.call(method, path, body, headers)
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)])
    return answer.body
  }
  const { db } = service
  const o = by.id
  await ok('PATCH', '/settings', { inbound_url: `${receiver.url}/inbound` })
  await ok('POST', '/webhooks', { url: `${receiver.url}/webhook`, events: ['*'] })

  // Contacts.
  await ok('POST', '/lists/contact/rows', { columns: { Name: `${WORD} Ada`, Mobile: spaced } })
  await ok('POST', '/lists/contact/rows', { columns: { Name: `Bola, friend of ${national}`, Mobile: OTHER } })
  await ok('POST', '/lists/contact/rows/query', { filters: [{ name: 'Mobile', operator: 'contain', value: number }] })
  await ok('POST', '/lists/contact/smartlists', {
    name: `Only ${national}`,
    filters: [{ name: 'Mobile', operator: 'equal', value: number }],
  })
  const csv = `Name,Email,Mobile\n${WORD},not an address,${national}\nBola,bola@example.com,${OTHER}\n`
  const { id: import_id } = await ok('POST', '/lists/contact/imports', { csv })
  await until('the import', async () => {
    const { body } = await by.call<{ status: string }>('GET', `/lists/contact/imports/${String(import_id)}`)
    return body.status === 'done'
  })

  // Messages.
  const send = (body: object, headers?: Record<string, string>) => ok('POST', '/sms/send', body, headers)
  await send(
    { recipients: national, content: `Hello ${WORD}, see https://example.com/?p=${number}`, is_trackable: true, callback },
    { 'idempotency-key': `welcome ${number}` },
  )
  await send({ recipients: [number, OTHER], content: 'For both of you', external_ref: `ref ${number}`, callback })
  await send({ recipients: OTHER, content: `Ask ${spaced} about it`, callback })
  await send({ recipients: number, content: `${WORD} tomorrow`, send_at: new Date(Date.now() + 86_400_000).toISOString() })
  const template = await ok('POST', '/templates', { name: 'Greeting', content: 'Dear {{name}}' })
  await send({
    recipients: [number, OTHER],
    template_id: template.id,
    personalisation: [
      { to: spaced, substitutions: { name: WORD } },
      { to: OTHER, substitutions: { name: 'Bola' } },
    ],
  })
  const campaign = await campaignOf(by, { name: `To ${national}`, content: 'Dear {{name}}' }, [
    { to: spaced, substitutions: { name: WORD } },
    { to: national, substitutions: { name: 'twice' } },
    { to: OTHER, substitutions: { name: 'Bola' } },
  ])
  const { estimate } = await estimated(by, campaign)
  await ok('POST', `/campaigns/${campaign}/start`, { people: estimate?.people, charge: estimate?.charge })
  await reached(by, campaign, 'finished')
  const draft = await campaignOf(by, { content: 'Dear {{name}}' }, [{ to: number, substitutions: { name: WORD } }])
  await estimated(by, draft)

  // One-time passwords, airtime, lookup, texts.
  await ok('POST', '/otp/request_token', { recipient: national })
  await ok('PATCH', '/otp/settings', { test_numbers: [{ recipient: spaced, token: '123456' }] })
  await ok('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: national, external_ref: number, callback })
  await ok('POST', '/sandbox/reply', { from: number, to: 'Gangan', text: `${WORD} says hello` })
  await ok('POST', '/sandbox/reply', { from: number, to: 'Gangan', text: 'STOP' })
  await ok('POST', '/optouts', { recipients: OTHER })
  await ok('GET', `/lookup/phone?phone=${number}`)
  await until('the airtime', async () => (await db`select 1 from purchases where status in ('pending', 'sent')`).length === 0)

  const [message] = await db<{ id: string }[]>`
    select message_id as id from deliveries where organisation_id = ${o} and recipient = ${number} limit 1`
  const other_id = newId()
  const account = newId()
  await db`
    insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
    values ('mtn', 'x1', ${o}, ${message?.id}, ${number}, now() + interval '1 day')`
  await db`
    insert into reports (id, carrier, carrier_message_id, status, recipient, description, received_datetime)
    values (${newId()}, 'mtn', 'x2', 'delivered', ${`+${number}`}, ${`to ${national}`}, now() - interval '1 hour')`
  await db`insert into inbound_segments values ('mtn', ${number}, '33445', 1, 2::smallint, 1::smallint, ${WORD})`
  await db`insert into whatsapp_users values ('wa', ${number}, now(), now())`
  await db`insert into carrier_facts (msisdn, operator, operator_noted) values (${number}::bigint, 'MTN', now())`
  await db`insert into provider_answers (msisdn, operator) values (${number}::bigint, 'MTN')`
  await db`
    insert into otp_sends (organisation_id, recipient, otp_id) values (${o}, ${number}, ${newId()})
    on conflict do nothing`
  await db`
    insert into phone_messages
      (id, carrier, organisation_id, message_id, recipient, phone_id, sim, sealed_text, segments, urgent, state, error,
       offered_until, valid_until)
    values (${newId()}, 'phones', ${o}, ${other_id}, ${number}, ${newId()}, 0, ${Buffer.from(WORD)}, 1, false, 'done',
      ${`no service for ${national}`}, now(), now())`
  await db`
    insert into smpp_long_texts
      (organisation_id, account_id, sender, recipient, reference, total, id, segments, wanted, created_datetime)
    values (${o}, ${account}, 'Gangan', ${number}, 1, 2, ${newId()}, ${[WORD, '']}::text[], '{}', now())`
  await db`
    insert into smpp_outbox (organisation_id, id, account_id, address, body)
    values (${o}, ${newId()}, ${account}, ${`smpp:${account}`}, ${JSON.stringify({ data: { from: number, text: WORD } })})`
  await db`
    insert into audit_entries (organisation_id, id, actor, action, subject, after)
    values (${o}, ${newId()}, 'ada@example.com', 'DELETE /optouts/:id', ${number}, ${JSON.stringify({ phone: spaced })}::text::jsonb)`
  await db`
    insert into inbound_messages (organisation_id, id, "from", "to", channel, text, carrier)
    values ('00000000-0000-0000-0000-000000000000', ${newId()}, ${number}, '99999', 'sms', ${WORD}, 'mtn')`
  await db`
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key) values ('route:gone', ${o}, ${o}, ${other_id}, ${number})`
}
