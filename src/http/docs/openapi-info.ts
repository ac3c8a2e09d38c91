import { readFileSync } from 'node:fs'
import { SCOPE_WORDS } from '../scopes.ts'

const INTRODUCTION = `
All requests and answers are JSON. Success is always **200** (deletes: 204).

**Key.** Send your API key in the \`Authorization\` header, the key alone: \`Authorization: gg_live_…\`.

A key may be limited to **scopes**; every operation below says what it needs, and without that the answer is 403. A key
without scopes opens everything.

${Object.entries(SCOPE_WORDS)
  .map(([scope, words]) => `- \`${scope}\`: ${words}`)
  .join('\n')}

The virtual handsets of the sandbox need all of them. Keys are made by people, in the console or with \`gangan keys\`.

**Errors** have one shape: \`status\` (equal to the HTTP status), \`message\`, and \`errors\` with one item per fault.
All faults of a request are told at once (the first hundred, if there are more), and a refused request changes nothing.

**Optional fields.** \`null\` is as good as absent, unless a field says what null means; so is an empty \`callback\`,
\`template_id\`, \`external_ref\` or \`query_id\`. Fields we do not know are ignored.

**Bounds.** A body is JSON in UTF-8 and has at most 1 MiB (sends and bulk rows 8 MiB), 64 levels, 10,000 items in a list, 1,000 fields in an
object and 250,000 values in all. Requests sent ahead on one connection are carried out one after the other.

**Idempotency.** Give every POST that charges an \`Idempotency-Key\` of your own. Within 24 hours a retry with the same
key and body gets the first answer again, byte for byte, with \`idempotent-replayed: true\`, and is charged once.

**Traces.** Where the operator collects traces, a \`traceparent\` (W3C Trace Context) of yours puts the message into your
trace, and comes back with its callbacks.

**Phone numbers** are accepted with \`+\`, \`00\` or what your country dials before a country code (\`009\` in Nigeria),
with blanks, dashes, brackets, as \`tel:\` URIs, in full-width and Arabic digits, and in the national form of your country,
with its zero or without; answers have digits with the country code. A number of a length that no mobile number of its
country has is refused unless it is another number there, and so is an extension. **Money** is in currency units, exact to four decimals. **Times** are in UTC with microseconds.

**Clients** for TypeScript, Python and PHP have these operations as methods; their code is shown beside curl.

**Lists** are newest first. \`limit\` and \`page\` select a page; \`query_id\` from the last answer reads on behind its
last entry, which costs the same however deep you are.

**Delivery reports.** When a delivery comes to its end, we POST to your \`callback\`, signed as
[Standard Webhooks](https://www.standardwebhooks.com) prescribe: \`webhook-id\` (the same on every try),
\`webhook-timestamp\`, \`webhook-signature\`. Any 2xx acknowledges, 410 stops, everything else is tried again after 5 s,
1, 5 and 30 minutes, then hourly for 24 hours. With \`is_trackable\` there is also \`text.clicked\`, once per recipient,
when a person first opens a link of the message.

**Opting out.** A person who answers STOP, STOPALL, UNSUBSCRIBE, CANCEL, END or QUIT gets no more messages from you:
later deliveries to them end \`rejected\` with the code \`opted_out\` and are not charged. START or UNSTOP lifts it. A
one-time password that somebody asks for is still sent.

**Texts people send you** are kept (\`/inbound\`) and posted to your \`inbound_url\` as \`text.received\`, signed as reports
are.

**Sandbox.** Without a real carrier, or with a test key, messages end at virtual handsets (\`/sandbox/messages\`).
Numbers from 2348000000001 to 2348000000009 end in every way a real one can: undelivered, expired, rejected, on DND,
never reported, reported twice, reported early, late, and after two temporary failures. Airtime for 2348000000011 to
2348000000017 ends likewise: failed, duplicate, unclear and then success, unclear and then failed, error, success after
ten seconds, and never answered by the vendor.
`.trim()

export function openapiInfo() {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Gangan',
      version: '1.0.0',
      summary: 'SMS and WhatsApp, one-time passwords, airtime, lookup and contacts behind one API.',
      description: INTRODUCTION,
      contact: { name: 'Whoever runs this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-build': version,
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      { name: 'Messages', description: 'Send texts over SMS and WhatsApp, and see what became of them.' },
      {
        name: 'Campaigns',
        description: 'A message to many: worked out first, then confirmed, watched, paused or taken back.',
      },
      { name: 'Senders', description: 'What your messages come from, and what the operator says about it.' },
      { name: 'Opt-outs', description: 'People who have asked for no more messages.' },
      { name: 'Received texts', description: 'What people write to you.' },
      {
        name: 'Conversations',
        description: 'What a person and you have written to each other, as a thread, and a way to answer.',
      },
      { name: 'Templates', description: 'Texts to send again and again, with placeholders filled in per recipient.' },
      {
        name: 'One-time passwords',
        description: 'Send a token, verify what the person typed, and see every one sent.',
      },
      { name: 'Airtime', description: 'Buy airtime for a phone, and see how the purchase ended.' },
      { name: 'Lookup', description: 'What is known about a phone number.' },
      { name: 'Contacts', description: 'The contact list: columns, rows, queries, smartlists, import and export.' },
      { name: 'People', description: 'All that is kept about a person: to be exported, or erased.' },
      { name: 'Balance', description: 'The prepaid balance and its ledger.' },
      { name: 'Requests', description: 'What you called and what we answered, of the last days, without secrets.' },
      {
        name: 'Analytics',
        description: 'What became of messages and one-time passwords, over any days, by what they were.',
      },
      { name: 'Settings', description: 'What holds for all of your messages.' },
      { name: 'Callbacks', description: 'What we posted to you, every try of it, and a way to get it again.' },
      {
        name: 'Webhooks',
        description:
          'Endpoints of yours that hear of everything, or of what they ask for, besides the `callback` of a request.',
      },
      {
        name: 'Hooks',
        description:
          'Addresses for identity servers and others, which hand over what is to be sent in a form of their own.',
      },
      {
        name: 'SMPP accounts',
        description: 'Who of your systems may bind to us over SMPP, and how much of it they may do.',
      },
      { name: 'Sandbox', description: 'The virtual handsets.' },
      { name: 'Operations', description: 'For load balancers and monitoring. No key needed.' },
    ],
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: 'The API key alone, with no scheme word in front of it.',
        },
      },
    },
  }
}
