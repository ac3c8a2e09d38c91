import { expect } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { newId } from '../../src/values/id.ts'
import { campaignOf, estimated, reached } from './campaign.ts'
import type { Receiver } from './receiver.ts'
import type { Organisation } from './service.ts'
import { until } from './until.ts'

/** A word that is in every text to and from the person, and in no other. */
export const WORD = 'zebrafish'
/** Another person, who is in some of the same rows. */
export const OTHER = '2348057654321'

/** All rows of all tables as text, each with the name of its table, like a dump of the database. */
export async function dump(db: Db): Promise<{ table: string; row: string }[]> {
  const tables = await db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  const all: { table: string; row: string }[] = []
  for (const { name } of tables) {
    const rows = await db.unsafe<{ row: string }[]>(`select t::text as row from "${name}" t`)
    for (const { row } of rows) all.push({ table: name, row: readable(row) })
  }
  return all
}

/** Bytes are dumped in hexadecimal: text in them is decoded here. */
function readable(row: string): string {
  return row.replaceAll(/\\+x((?:[0-9a-f]{2})+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))
}

/** Creates data through the API where possible, and directly what only carriers and other processes write. */
export async function fill(
  { db, receiver, by }: { db: Db; receiver: Receiver; by: Organisation },
  { number, national, spaced, callback }: { number: string; national: string; spaced: string; callback: string },
): Promise<void> {
  const ok = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await by.call(method, path, body, headers)
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)])
    return answer.body
  }
  const o = by.id
  await ok('PATCH', '/settings', { inbound_url: `${receiver.url}/inbound` })
  await ok('POST', '/webhooks', { url: `${receiver.url}/webhook`, events: ['*'] })

  // Contacts.
  await ok('POST', '/lists/contact/rows', { columns: { Name: `${WORD} Ada`, Mobile: spaced } })
  await ok('POST', '/lists/contact/rows', { columns: { Name: `Bola, friend of ${national}`, Mobile: OTHER } })
  const { row: deleted } = await ok('POST', '/lists/contact/rows', { columns: { Name: WORD, Mobile: national } })
  const { id: deleted_id } = deleted as { id: string }
  await ok('POST', '/lists/contact/changes', { action: 'delete', row_ids: [deleted_id] })
  const query = { filters: [{ name: 'Mobile', operator: 'equal', value: number }] }
  await ok('POST', '/lists/contact/changes', { action: 'set', columns: { Email: 'team@example.com' }, query })
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
    {
      recipients: national,
      content: `Hello ${WORD}, see https://example.com/?p=${number}`,
      is_trackable: true,
      callback,
    },
    { 'idempotency-key': `welcome ${number}` },
  )
  await send({ recipients: [number, OTHER], content: 'For both of you', external_ref: `ref ${number}`, callback })
  await send({ recipients: OTHER, content: `Ask ${spaced} about it`, callback })
  await send({
    recipients: number,
    content: `${WORD} tomorrow`,
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
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
  await until(
    'the airtime',
    async () => (await db`select 1 from purchases where status in ('pending', 'sent')`).length === 0,
  )

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
  await db`insert into whatsapp_users values ('wa', ${number}, now(), now(), now())`
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
      (organisation_id, account_id, sender, recipient, reference, total, id, segments, wanted, callback, created_datetime)
    values (${o}, ${account}, 'Gangan', ${number}, 1, 2, ${newId()}, ${[WORD, '']}::text[], '{}', ${callback}, now())`
  await db`
    insert into smpp_outbox (organisation_id, id, account_id, address, body)
    values (${o}, ${newId()}, ${account}, ${`smpp:${account}`}, ${JSON.stringify({ data: { from: number, text: WORD } })})`
  await db`
    insert into saved_views (organisation_id, id, user_id, name, query)
    values (${o}, ${newId()}, ${newId()}, ${`To ${national}`}, ${JSON.stringify({ q: spaced })}::text::jsonb)`
  await db`
    insert into audit_entries (organisation_id, id, actor, action, subject, after)
    values (${o}, ${newId()}, 'ada@example.com', 'DELETE /optouts/:id', ${number}, ${JSON.stringify({ phone: spaced })}::text::jsonb)`
  await db`
    insert into inbound_messages (organisation_id, id, "from", "to", channel, text, carrier)
    values ('00000000-0000-0000-0000-000000000000', ${newId()}, ${number}, '99999', 'sms', ${WORD}, 'mtn')`
  await db`
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key) values ('route:gone', ${o}, ${o}, ${other_id}, ${number})`
}

/** The columns that `fill` does not reach: written by carriers, vendors, operators and aborted requests. */
export async function fillRest(
  { db, by }: { db: Db; by: Organisation },
  { number, national, spaced }: { number: string; national: string; spaced: string },
): Promise<void> {
  const o = by.id
  const ok = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await by.call(method, path, body, headers)
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)])
    return answer.body
  }
  const key = (text: string) => ({ 'idempotency-key': text })
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  const later = await ok('POST', '/sms/send', { recipients: number, content: WORD, send_at })
  expect((await by.call('DELETE', `/sms/${String(later.id)}`)).status).toBe(204)
  // Two rows that differ only in the spelling of the number: without it they must stay distinct.
  for (const written of [number, national, spaced]) {
    const name = `For ${written}`
    await ok('POST', '/templates', { name: `${'x'.repeat(170)} ${written}`, content: `Questions? Call ${written}.` })
    await ok('POST', '/lists/contact/smartlists', { name, filters: [] })
    await ok('POST', '/sms/send', { recipients: OTHER, content: 'Hello' }, key(`hello ${written}`))
    const campaign = { name, content: `Ask ${written}` }
    const { id } = await ok('POST', '/campaigns', campaign, key(`campaign ${written}`))
    await db`
      update campaigns
      set fault = ${`${written} failed`}, message = message || jsonb_build_object('external_ref', ${written}::text),
        draft = jsonb_build_object('content', ${written}::text), texts = ${JSON.stringify([written])}::text::jsonb,
        filters = ${JSON.stringify([{ name: 'Mobile', operator: 'equal', value: written }])}::text::jsonb
      where organisation_id = ${o} and id = ${String(id)}`
    for (const to of [national, spaced]) {
      await ok(
        'POST',
        `/campaigns/${String(id)}/recipients`,
        { recipients: [{ to }, { to: OTHER }] },
        key(`part ${to}`),
      )
    }
    await ok('POST', '/lists/contact/columns', { name, type: 'SELECT', options: [written, 'none'] })
  }
  await ok('PATCH', '/otp/settings', { template: `{{token}} is your code. Call ${national} if you did not ask.` })
  await db`update otp_settings set origin = ${`${number}.example.com`} where organisation_id = ${o}`

  // An upload that was aborted long ago, in UTF-16, cut in the middle of the number.
  const broken_off = newId()
  const file = Buffer.from(`\ufeffName,Mobile\nAda,${number}\n`, 'utf16le')
  await db`
    insert into contact_imports (organisation_id, id, status, dry_run, encoding, delimiter, fields, created_datetime)
    values (${o}, ${broken_off}, 'uploading', false, 'utf-16le', ',', '[]', now() - interval '2 hours')`
  for (const [at, bytes] of [
    [0, file.subarray(0, 50)],
    [50, file.subarray(50)],
    [90, file],
  ] as const) {
    await db`
      insert into contact_import_chunks (organisation_id, import_id, position, bytes)
      values (${o}, ${broken_off}, ${at}, ${bytes})`
  }
  // A file without a header.
  await db`
    insert into contact_imports (organisation_id, id, status, dry_run, encoding, delimiter, fields, fault)
    values (${o}, ${newId()}, 'failed', false, 'utf-8', ',', ${JSON.stringify([{ name: national }])}::text::jsonb,
      ${`There is no column ${national}.`})`
  const faults = [{ field: 'Mobile', message: `${spaced} is there already.`, type: 'used' }]
  await db`update contact_import_rejects set faults = ${JSON.stringify(faults)}::text::jsonb where organisation_id = ${o}`
  await db`
    insert into contact_conversions (organisation_id, id, column_id, from_number, from_type, from_options, type,
      options, clear_unfit, status, fault)
    values (${o}, ${newId()}, ${newId()}, 1, 'SELECT', ${[national]}::text[], 'MULTI SELECT', ${[spaced]}::text[], false,
      'checked', ${`The smartlist Only ${national} filters by this column.`})`
  await db`update contact_changes set value = ${spaced}, key = ${number} where organisation_id = ${o}`

  // Responses of carriers and vendors. The message ids of WhatsApp contain the number in Base64.
  const wamid = `wamid.${Buffer.from(`\u001c\u0018\r${number}\u0015\u0002`, 'latin1').toString('base64')}`
  const words = `Invalid number +${number}`
  const [delivery] = await db<{ message_id: string }[]>`
    update deliveries set text = ${`Dear ${national}`}, description = ${words}
    where organisation_id = ${o} and recipient = ${number} and status = 'delivered' returning message_id`
  await db`
    insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due, description)
    values ('wa', ${wamid}, ${o}, ${String(delivery?.message_id)}, ${number}, now() + interval '1 day', ${words})`
  await db`
    insert into reports (id, carrier, carrier_message_id, status, recipient, keys, received_datetime)
    values (${newId()}, 'wa', ${`${wamid}2`}, 'delivered', null, ${[`+${number}`]}::text[], now() - interval '1 hour')`
  await db`
    insert into inbound_messages (organisation_id, id, "from", "to", channel, text, carrier)
    values (${o}, ${newId()}, ${OTHER}, ${`+${number}`}, 'sms', ${`I am ${spaced}`}, 'mtn')`
  await db`
    insert into inbound_messages (organisation_id, id, "from", "to", channel, text, carrier)
    values ('00000000-0000-0000-0000-000000000000', ${newId()}, ${`+${number}`}, ${number}, 'sms', ${national}, 'mtn')`
  await db`
    insert into media (organisation_id, id, direction, "from", state, type, filename, reason)
    values (${o}, ${newId()}, 'in', ${number}, 'refused', 'application/pdf', ${`${national}.pdf`}, 'too large')`
  const shared = JSON.stringify({ type: 'contacts', contacts: [{ name: { formatted_name: spaced } }] })
  await db`update inbound_messages set whatsapp = ${shared}::text::jsonb where carrier = 'mtn'`
  const location = { type: 'location', has_text: false, value: { latitude: 0, longitude: 0, name: spaced } }
  await db`
    update sandbox_messages set whatsapp = ${JSON.stringify(location)}::text::jsonb where organisation_id = ${o}`
  for (const sender of [`+${number}`, national, OTHER]) {
    await db`
      insert into inbound_segments values ('mtn', ${sender}, '33445', 9, 2::smallint, 1::smallint, ${`I am ${national}`})`
  }
  await db`
    update purchases set idempotency_key = ${`top up ${number}`}, warnings = ${[words]}::text[], description = ${words}
    where organisation_id = ${o}`
  await db`
    update purchase_tries set vendor_purchase_id = ${`${number}-1`}, description = ${words} where organisation_id = ${o}`
  await db`insert into carrier_pauses values ('mtn', now() + interval '1 hour', '1', ${words})`
  await db`insert into operator_pauses (kind, name, mode, reason, actor) values ('route', 'sms', 'paused', ${words}, 'ada')`
  await db`insert into carrier_calls (carrier, answered, reason) values ('mtn', false, ${words})`
  await db`
    insert into senders (organisation_id, id, sender_id, note, reason)
    values (${o}, ${newId()}, 'Shop', ${`Of ${national}`}, ${`Ask ${spaced}`})`

  // Callbacks, and charges.
  await db`update callbacks set last_excerpt = ${words}, last_reason = ${words} where organisation_id = ${o}`
  await db`
    insert into callback_attempts (organisation_id, callback_id, attempt, excerpt, reason, duration_ms)
    select organisation_id, id, 1, ${words}, ${words}, 1 from callbacks where organisation_id = ${o}
    on conflict (organisation_id, callback_id, attempt) do update set excerpt = excluded.excerpt, reason = excluded.reason`
  await ok('POST', `/conversations/${number}/notes`, { text: `Ada, ${spaced}` })
  await db`
    insert into conversation_notes (organisation_id, id, phone, text)
    select ${o}, ${newId()}, phone, ${`${'x'.repeat(1_980)} ${national}`} from conversations
    where organisation_id = ${o} and phone <> ${number}`
  // Of many calls in a second the log keeps some.
  await until('a call to be logged', async () => {
    await ok('GET', `/conversations/${number}`)
    const calls = await db`select 1 from request_bursts where calls::text like ${`%/conversations/${number}%`}`
    return calls.length > 0
  })
  const [log_entry] = await db<{ id: string }[]>`select id from request_bursts where organisation_id = ${o} limit 1`
  await db`
    update request_bursts set request_ids = request_ids || ${[`of ${number}`]}::text[]
    where organisation_id = ${o} and id = ${log_entry?.id ?? ''}`
  await db`
    update audit_entries set before = ${JSON.stringify({ phone: national })}::text::jsonb where organisation_id = ${o}`
  // A cluster has no triggers.
  if (!db.distributed) await db.unsafe('alter table ledger_lines disable trigger user')
  await db`
    update ledger_lines set note = ${`${'x'.repeat(480)} ${national}`}, subject_key = ${number}
    where organisation_id = ${o} and kind in ('opening', 'top_up')`
  if (!db.distributed) await db.unsafe('alter table ledger_lines enable trigger user')
  // Housekeeping may have deleted those of the campaigns above.
  await db`
    insert into campaign_recipients (organisation_id, campaign_id, estimate, recipient)
    values (${o}, ${newId()}, 1, ${number})`
  // More of a message that is charged and stored already.
  const { id: message_id } = await ok('POST', '/sms/send', { recipients: OTHER, content: 'For two' })
  const waiting = {
    id: String(message_id),
    to: number,
    at: 1,
    channel: 'sms',
    sender_id: 'Gangan',
    content: WORD,
    encoding: 'GSM',
    message_length: WORD.length,
    pages: 1,
    price: 0,
    stored: true,
    is_trackable: false,
  }
  await db`
    insert into intake (organisation_id, id, route, priority, first_id, last_id, size, messages)
    values (${o}, ${newId()}, 'gone', 1, ${waiting.id}, ${waiting.id}, 1, ${JSON.stringify(waiting)})`
}
