import { DELIVERY_CODES, type DeliveryCode } from '../../carriers/delivery-codes.ts'
import { readVersion } from '../../values/version.ts'
import { SCOPE_WORDS } from '../scopes.ts'

const INTRODUCTION = `
All requests and answers are JSON. Success is always **200** (deletes: 204).

**Key.** Send your API key in the \`Authorization\` header, the key alone: \`Authorization: gg_live_…\`.

A key may be limited to **scopes**; every operation below says what it needs, and without that the answer is 403. A key
without scopes has all of them.

${Object.entries(SCOPE_WORDS)
  .map(([scope, words]) => `- \`${scope}\`: ${words}`)
  .join('\n')}

The virtual handsets of the sandbox need all of them. Keys are created by users, in the console or with \`gangan keys\`.

**Errors** have one format: \`status\` (equal to the HTTP status), \`message\`, and \`errors\` with one item per error.
All errors of a request are returned together (the first hundred, if there are more), and a rejected request changes nothing.

**Optional fields.** \`null\` counts as absent, unless a field defines it; so does an empty \`callback\`,
\`template_id\`, \`external_ref\` or \`query_id\`. Unknown fields are ignored.

**Bounds.** A body is JSON in UTF-8 and has at most 1 MiB (sends and bulk rows 8 MiB), 64 levels, 10,000 items in a list, 1,000 fields in an
object and 250,000 values in total. Pipelined requests of one connection are processed one at a time.

**Limits.** The operator may limit your requests and messages per second. What exceeds a limit is refused with 429 and
\`Retry-After\`, and charged nothing; campaigns wait. Numbers that the operator blocks are refused like invalid ones, with the type
\`invalid\`.

**Idempotency.** Send an \`Idempotency-Key\` with every POST that charges. Within 24 hours a retry with the same
key and body gets the first answer again, byte for byte, with \`idempotent-replayed: true\`, and is charged once.

**Traces.** If the operator collects traces, your \`traceparent\` (W3C Trace Context) adds the message to your trace, and is
sent with its callbacks.

**Phone numbers** are accepted with \`+\`, \`00\` or the international prefix of your country (\`009\` in Nigeria),
with spaces, dashes, brackets, as \`tel:\` URIs, in full-width and Arabic digits, and in the national form of your country,
with its zero or without; answers have digits with the country code. A number of a length that no mobile number of its
country has is rejected unless it is another valid number there, and so is an extension. **Money** is in currency units, exact to four decimals. **Times** are in UTC with microseconds.

**Clients** for TypeScript, Python and PHP have these operations as methods; their code is shown beside curl.

**Lists** are newest first. \`limit\` and \`page\` select a page; \`query_id\` from the last answer continues after its
last entry, at the same cost for any depth.

**Delivery reports.** When a delivery ends, Gangan POSTs to your \`callback\`, signed according to
[Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\` (the same on every attempt),
\`webhook-timestamp\`, \`webhook-signature\`. Any 2xx acknowledges, 410 stops, everything else is retried after 5 s,
1, 5 and 30 minutes, then hourly for 24 hours. With \`is_trackable\` there is also \`text.clicked\`, once per recipient,
when a person first opens a link of the message.

**Delivery codes.** \`code\` is the carrier's, \`description\` what it means, and \`advice\`, in reads, what to do about it.
An unknown code has the carrier's own description, and advice for its status. The codes of SMPP receipts depend on their
\`stat\`, of which the beginning is given.

${DELIVERY_CODES.map(codeLine).join('\n')}

**Opting out.** A person who replies STOP, STOPALL, UNSUBSCRIBE, CANCEL, END or QUIT gets no more messages from you:
later deliveries to them end \`rejected\` with the code \`opted_out\` and are not charged. START or UNSTOP revokes it.
One-time passwords that a person requests are still sent.

**Inbound texts** are stored (\`/inbound\`) and posted to your \`inbound_url\` as \`text.received\`, signed like reports.

**Sandbox.** Without a real carrier, or with a test key, messages go to virtual handsets (\`/sandbox/messages\`).
Numbers from 2348000000001 to 2348000000009 produce every outcome: undelivered, expired, rejected, on DND,
never reported, reported twice, reported early, late, and after two temporary failures. Airtime for 2348000000011 to
2348000000017 likewise: failed, duplicate, unclear and then success, unclear and then failed, error, success after
ten seconds, and never answered by the vendor.
`.trim()

function codeLine({ description, advice, codes = [], receipts = {} }: DeliveryCode): string {
  const plain = codes.map((code) => `\`${code}\``)
  const of_receipts = Object.entries(receipts).map(
    ([stat, own]) => `${stat} ${own.map((code) => `\`${code}\``).join(' ')}`,
  )
  return `- ${[...of_receipts, ...plain].join(', ')}: ${description}.${advice ? ` *${advice}*` : ''}`
}

export function openapiInfo() {
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Gangan',
      version: '1.0.0',
      summary: 'SMS and WhatsApp, one-time passwords, airtime, lookup and contacts behind one API.',
      description: INTRODUCTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-build': readVersion(),
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      { name: 'Messages', description: 'Send texts over SMS and WhatsApp, and read their status.' },
      {
        name: 'Campaigns',
        description: 'Messages to many people: estimated first, then confirmed, monitored, paused or canceled.',
      },
      { name: 'Senders', description: 'The names and numbers your messages come from, and their approval.' },
      { name: 'Opt-outs', description: 'People who have opted out of messages.' },
      { name: 'Received texts', description: 'Texts you received.' },
      {
        name: 'Conversations',
        description: 'Messages exchanged with a person, as a thread, and replies.',
      },
      { name: 'Templates', description: 'Reusable texts with placeholders filled per recipient.' },
      { name: 'Media', description: 'Files sent and received on WhatsApp.' },
      {
        name: 'One-time passwords',
        description: 'Send a token, verify what the person typed, and list those sent.',
      },
      { name: 'Airtime', description: 'Buy airtime for a phone, and read the outcome.' },
      { name: 'Lookup', description: 'Information about a phone number.' },
      { name: 'Contacts', description: 'The contact list: columns, rows, queries, smartlists, import and export.' },
      { name: 'People', description: 'Export or erase the data of a person.' },
      { name: 'Balance', description: 'The prepaid balance and its ledger.' },
      { name: 'Requests', description: 'Requests and answers of the last days, without secrets.' },
      {
        name: 'Analytics',
        description: 'Outcomes of messages and one-time passwords, over any range of days.',
      },
      { name: 'Settings', description: 'Settings of your organisation.' },
      { name: 'Callbacks', description: 'Requests posted to you, with every attempt, and how to resend them.' },
      {
        name: 'Webhooks',
        description: 'Your endpoints for all events, or a selection, in addition to the `callback` of a request.',
      },
      {
        name: 'Hooks',
        description: 'Endpoints for identity servers and others that post messages in a format of their own.',
      },
      {
        name: 'SMPP accounts',
        description: 'Accounts of your systems that bind over SMPP, and their limits.',
      },
      { name: 'Sandbox', description: 'The virtual handsets.' },
      { name: 'Operations', description: 'For load balancers and monitoring, without a key.' },
    ],
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: 'The API key alone, without a scheme.',
        },
      },
    },
  }
}
