import { newId } from '../../src/values/id.ts'
import type { TestService, Organisation } from '../support/service.ts'
import type { Receiver } from '../support/receiver.ts'
import { estimated, reached, type Campaign } from '../support/campaign.ts'
import { person } from '../support/person.ts'
import { fileOf } from '../support/files.ts'
import { until } from '../support/until.ts'

export type Place = { service: TestService; owner: Organisation; receiver: Receiver }

/** Creates the resource that a path names, in the owner's organisation, and returns its id. */
export type Fixture = (place: Place, more?: object) => Promise<string>

type Made = { id: string }

const made = async ({ owner }: Place, path: string, body: object): Promise<string> => {
  const answer = await owner.call<Made>('POST', path, body)
  if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body.id
}

const message: Fixture = (place) => made(place, '/sms/send', { recipients: '08031234567', content: 'Hello' })
const otp: Fixture = (place) => made(place, '/otp/request_token', { recipient: '08031234567', token: '482913' })
const purchase: Fixture = (place) =>
  made(place, '/airtime/buy', { network: 'MTN', amount: 100, recipient: '08031234567' })
const smartlist: Fixture = (place) =>
  made(place, '/lists/contact/smartlists', { name: `List ${Math.random()}`, filters: [] })

const row: Fixture = async ({ owner }) => {
  const { body } = await owner.call<{ row: Made }>('POST', '/lists/contact/rows', { columns: { Name: 'Ada' } })
  return body.row.id
}

const column: Fixture = async ({ owner }) => {
  const name = `Column ${Math.random()}`
  const { body } = await owner.call<{ column?: Made; columns?: (Made & { name: string })[] } & Made>(
    'POST',
    '/lists/contact/columns',
    { name, type: 'TEXT' },
  )
  return body.id ?? body.column?.id ?? body.columns?.find((one) => one.name === name)?.id ?? ''
}

const contactImport: Fixture = (place) => made(place, '/lists/contact/imports', { csv: 'Name,Mobile\nAda,08031234567' })

const change: Fixture = async (place) =>
  made(place, '/lists/contact/changes', { action: 'set', columns: { Name: 'Bola' }, row_ids: [await row(place)] })

/** A new column that is converted. */
const conversion: Fixture = async (place) => {
  const of = await column(place)
  return made(place, `/lists/contact/columns/${of}/conversions`, { type: 'NUMBER' })
}

const listSend: Fixture = async (place) => {
  await place.owner.call('POST', '/lists/contact/rows', { columns: { Mobile: '08031234567' } })
  return made(place, '/sms/send', { smartlist_id: await smartlist(place), content: 'Hello' })
}

const campaign: Fixture = async (place, more: object = {}) => {
  const id = await made(place, '/campaigns', { content: 'Hello', ...more })
  await place.owner.call('POST', `/campaigns/${id}/recipients`, { recipients: [{ to: '08031234567' }] })
  return id
}
const estimatedCampaign: Fixture = async (place, more: object = {}) => {
  const id = await campaign(place, more)
  await estimated(place.owner, id)
  return id
}
/** One that has ended, to a number that the simulated network reports as invalid. */
const failedCampaign: Fixture = async (place) => {
  const id = await made(place, '/campaigns', { content: 'Hello' })
  await place.owner.call('POST', `/campaigns/${id}/recipients`, { recipients: [{ to: '2348000000001' }] })
  await estimated(place.owner, id)
  await place.owner.call('POST', `/campaigns/${id}/start`, { people: 1, charge: 4 })
  await reached(place.owner, id, 'finished')
  await until('the delivery to fail', async () => {
    const { body } = await place.owner.call<Campaign>('GET', `/campaigns/${id}`)
    return body.outcomes?.undelivered === 1
  })
  return id
}
/** Later the same day, so that it can still be canceled. */
const scheduledCampaign: Fixture = async (place) => {
  const id = await estimatedCampaign(place, { send_at: new Date(Date.now() + 6 * 3_600_000).toISOString() })
  await place.owner.call('POST', `/campaigns/${id}/start`, { people: 1, charge: 4 })
  return id
}
const pausedCampaign: Fixture = async (place) => {
  const id = await scheduledCampaign(place)
  await place.owner.call('POST', `/campaigns/${id}/pause`)
  return id
}

const callback: Fixture = async (place) => {
  const body = { recipients: '08031234567', content: 'Hello', callback: place.receiver.url }
  const subject_id = await made(place, '/sms/send', body)
  return until('the callback', async () => {
    const path = `/callbacks?subject_id=${subject_id}`
    return (await place.owner.call<{ callbacks: Made[] }>('GET', path)).body.callbacks[0]?.id
  })
}

/** Later the same day, so that it can still be canceled. */
const scheduled: Fixture = (place) => {
  const send_at = new Date(Date.now() + 6 * 3_600_000).toISOString()
  return made(place, '/sms/send', { recipients: '08031234567', sender_id: 'Gangan', content: 'Later', send_at })
}

const template: Fixture = (place) =>
  made(place, '/templates', { name: `Template ${Math.random()}`, content: 'Hello {{name|there}}' })

/** A template at the emulator of the Cloud API, or, where none is connected, one that is only known here. */
const whatsappTemplate: Fixture = async ({ service, owner }) => {
  const template_id = String(Math.floor(Math.random() * 1e12))
  const wish = { name: `t${template_id}`, language: 'en', category: 'utility', components: [WHATSAPP_BODY] }
  const created = await owner.call<Made>('POST', '/whatsapp/templates', wish)
  if (created.status === 200) return created.body.id
  await service.db`
    insert into whatsapp_templates (carrier, name, language, category, status, components, template_id, owner_id)
    values ('meta', ${`t${template_id}`}, 'en', 'UTILITY', 'APPROVED', '[]', ${template_id}, ${owner.id})`
  return template_id
}

const sender: Fixture = (place) =>
  made(place, '/senders', { sender_id: `S${Math.floor(Math.random() * 1e9)}`.slice(0, 11) })

const hook: Fixture = async ({ owner }) =>
  (await owner.call<{ name: string }>('POST', '/hooks', { kind: 'logto' })).body.name
const smpp_account: Fixture = async ({ owner }) =>
  (await owner.call<{ system_id: string }>('POST', '/smpp/accounts', {})).body.system_id
const webhook: Fixture = (place) => made(place, '/webhooks', { url: place.receiver.url, events: ['text.*'] })

const optout: Fixture = async ({ owner }) => {
  const number = `234805${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
  const { body } = await owner.call<{ optouts: Made[] }>('POST', '/optouts', { recipients: number })
  return body.optouts[0]?.id ?? ''
}

const erasure: Fixture = (place) => made(place, '/people/erasures', { phone: '2348059999997' })

/** A reply of a virtual phone goes to the organisation that wrote to it last: the owner. */
const inbound: Fixture = async ({ owner }) => {
  const from = '2348039999999'
  const sent = await owner.call<Made>('POST', '/sms/send', { recipients: from, content: 'Hello' })
  await until('the message on the phone', async () => {
    const path = `/sandbox/messages?recipient=${from}`
    const { body } = await owner.call<{ messages: Made[] }>('GET', path)
    return body.messages.some(({ id }) => id === sent.body.id) || body.messages.length > 0
  })
  const reply = { from, to: 'Gangan', text: 'Thanks' }
  const { body } = await owner.call<Made>('POST', '/sandbox/reply', reply)
  return body.id
}

const file: Fixture = async ({ owner }) => {
  const text = Buffer.from(`File ${Math.random()}`)
  return (await owner.call<Made>('POST', '/media', text, { 'content-type': 'text/plain' })).body.id
}

const picture: Fixture = async ({ owner }) =>
  (await owner.call<Made>('POST', '/media', fileOf('png'), { 'content-type': 'image/png' })).body.id

/** Every sender of an inbound text has a conversation. */
const conversation: Fixture = async (place) => {
  await inbound(place)
  return '2348039999999'
}

const note: Fixture = async (place) =>
  made(place, `/conversations/${await conversation(place)}/notes`, { text: 'Call back' })

const assigned: Fixture = async (place) => {
  const { id } = await person(place.service, place.owner.id)
  await place.owner.call('POST', `/conversations/${await conversation(place)}/assign`, { assignee_id: id })
  return id
}

/** Any one: of many calls in a second the log keeps a sample. */
const request: Fixture = async ({ owner }) => {
  await owner.call('GET', '/balance')
  return until('a call in the log', async () => {
    const { body } = await owner.call<{ requests: { request_id: string }[] }>('GET', '/requests')
    return body.requests[0]?.request_id
  })
}

const key: Fixture = async ({ service, owner }) => {
  const [own] = await service.db<Made[]>`select id from api_keys where organisation_id = ${owner.id} limit 1`
  return own?.id ?? ''
}

/** The guard is inactive in the sandbox, so its entry is inserted directly. */
const guarded: Fixture = async ({ service, owner }) => {
  await service.db`
    insert into otp_guard (organisation_id, prefix, state, sent, verified, until_datetime)
    values (${owner.id}, '234803123', 'blocked', 50, 0, now() + interval '1 hour')
    on conflict do nothing`
  return '234803123'
}

/**
 * The resource of each path with an id. A path that is missing here fails the test: add its resource, and the test of
 * all operations covers it.
 */
export const FIXTURES: Record<string, Fixture> = {
  '/sms/{id}': scheduled,
  '/sms/{id}/explain': scheduled,
  '/campaigns/{id}': campaign,
  '/campaigns/{id}/cancel': campaign,
  '/campaigns/{id}/copy': campaign,
  '/campaigns/{id}/estimate': campaign,
  '/campaigns/{id}/pause': scheduledCampaign,
  '/campaigns/{id}/recipients': campaign,
  '/campaigns/{id}/report': campaign,
  '/campaigns/{id}/report.csv': campaign,
  '/campaigns/{id}/resend': failedCampaign,
  '/campaigns/{id}/resume': pausedCampaign,
  '/campaigns/{id}/start': estimatedCampaign,
  '/campaigns/{id}/test': campaign,
  '/senders/{id}': sender,
  '/optouts/{id}': optout,
  '/people/erasures/{id}': erasure,
  '/inbound/{id}': inbound,
  '/media/{id}': file,
  '/media/{id}/content': file,
  '/conversations/{phone}': conversation,
  '/conversations/{phone}/assign': conversation,
  '/conversations/{phone}/close': conversation,
  '/conversations/{phone}/messages': conversation,
  '/conversations/{phone}/notes': conversation,
  '/conversations/{phone}/read': conversation,
  '/conversations/{phone}/reopen': conversation,
  '/notes/{note_id}': note,
  '/requests/{request_id}': request,
  '/templates/{id}': template,
  '/whatsapp/templates/{id}': whatsappTemplate,
  '/hooks/{name}': hook,
  '/smpp/accounts/{system_id}': smpp_account,
  '/webhooks/{id}': webhook,
  '/webhooks/{id}/rotate': webhook,
  '/webhooks/{id}/test': webhook,
  '/webhooks/{id}/replay': webhook,
  '/otp/{id}': otp,
  '/otp/guard/{prefix}': guarded,
  '/airtime/{id}': purchase,
  '/lists/contact/row/{row_id}': row,
  '/lists/contact/rows/{row_id}': row,
  '/lists/contact/columns/{column_id}': column,
  '/lists/contact/columns/{column_id}/conversions': column,
  '/lists/contact/conversions/{id}': conversion,
  '/lists/contact/conversions/{id}/undo': conversion,
  '/lists/contact/changes/{id}': change,
  '/lists/contact/changes/{id}/undo': change,
  '/lists/contact/smartlists/{id}': smartlist,
  '/lists/contact/imports/{id}': contactImport,
  '/lists/contact/imports/{id}/rejects': contactImport,
  '/lists/contact/sends/{id}': listSend,
  '/callbacks/{id}': callback,
  '/callbacks/{id}/replay': callback,
}

const WHATSAPP_BODY = { type: 'BODY', text: 'It is on its way.' }

/** A body that the operation would accept from the owner, so that only the id can be the reason for a rejection. */
export const BODIES: Record<string, object> = {
  'PATCH /whatsapp/templates/{id}': { components: [WHATSAPP_BODY] },
  'PATCH /campaigns/{id}': { name: 'Stolen' },
  'POST /conversations/{phone}/assign': { assignee_id: null },
  'POST /conversations/{phone}/close': {},
  'POST /conversations/{phone}/messages': { content: 'Stolen' },
  'POST /conversations/{phone}/notes': { text: 'Stolen' },
  'POST /conversations/{phone}/read': {},
  'POST /campaigns/{id}/recipients': { recipients: [{ to: '08031234567' }] },
  'POST /campaigns/{id}/start': { people: 1, charge: 4 },
  'POST /campaigns/{id}/test': { recipients: '08031234567' },
  'PATCH /lists/contact/row/{row_id}': { columns: { Name: 'Stolen' } },
  'PATCH /lists/contact/rows/{row_id}': { columns: { Name: 'Stolen' } },
  'PATCH /lists/contact/columns/{column_id}': { name: 'Stolen' },
  'POST /lists/contact/columns/{column_id}/conversions': { type: 'NUMBER' },
  'PATCH /lists/contact/smartlists/{id}': { name: 'Stolen' },
  'PATCH /senders/{id}': { note: 'Stolen' },
  'PATCH /templates/{id}': { content: 'Stolen' },
  'PATCH /webhooks/{id}': { description: 'Stolen' },
  'POST /webhooks/{id}/rotate': { overlap_hours: 1 },
  'POST /webhooks/{id}/replay': { since: '2026-01-01T00:00:00Z' },
}

type Carried = {
  /** The request of another organisation with the owner's id in it. */
  ask: (id: string) => { path?: string; body?: object }
  fixture: Fixture
  /** 404 for a resource; 400 for a column of another organisation, and where no id is accepted; 200 with empty data. */
  status: 200 | 400 | 404
}

const WITH_HEADER = { name: 'header', language: 'en', category: 'marketing' }
const pictureHeader = (header_media_id: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_media_id } })
const filters = (column_id: string) => [{ column_id, operator: 'equal', value: 'x' }]
const groups = (column_id: string) => [{ any: filters(column_id) }]

/** The same for ids in a body or a query: every field of openapi.json whose name ends in `id`. */
export const CARRIED: Record<string, Carried> = {
  'GET /sms campaign_id': {
    fixture: campaign,
    ask: (id) => ({ path: `?campaign_id=${id}` }),
    status: 404,
  },
  'GET /balance campaign_id': {
    fixture: campaign,
    ask: (id) => ({ path: `?campaign_id=${id}` }),
    status: 404,
  },
  'GET /balance.csv campaign_id': {
    fixture: campaign,
    ask: (id) => ({ path: `?campaign_id=${id}` }),
    status: 404,
  },
  'GET /balance/messages campaign_id': {
    fixture: campaign,
    ask: (id) => ({ path: `?campaign_id=${id}` }),
    status: 404,
  },
  'GET /balance/messages.csv campaign_id': {
    fixture: campaign,
    ask: (id) => ({ path: `?campaign_id=${id}` }),
    status: 404,
  },
  'POST /whatsapp/templates components[].example.header_media_id': {
    fixture: picture,
    ask: (id) => ({ body: { ...WITH_HEADER, components: [pictureHeader(id), WHATSAPP_BODY] } }),
    status: 400,
  },
  'POST /whatsapp/templates components[].cards[].components[].example.header_media_id': {
    fixture: picture,
    ask: (id) => {
      const card = { components: [pictureHeader(id), WHATSAPP_BODY] }
      return { body: { ...WITH_HEADER, components: [WHATSAPP_BODY, { type: 'CAROUSEL', cards: [card, card] }] } }
    },
    status: 400,
  },
  'POST /sandbox/reply media_id': {
    fixture: picture,
    ask: (media_id) => ({ body: { from: '2348039999999', to: 'Gangan', channel: 'whatsapp', media_id } }),
    status: 400,
  },
  'POST /smpp/accounts system_id': {
    fixture: smpp_account,
    ask: (system_id) => ({ body: { system_id } }),
    status: 400,
  },
  'GET /conversations assignee_id': {
    fixture: assigned,
    ask: (id) => ({ path: `?assignee_id=${id}` }),
    status: 200,
  },
  'POST /sms/send smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { smartlist_id, content: 'x' } }),
    status: 404,
  },
  'POST /sms/send template_id': {
    fixture: template,
    ask: (template_id) => ({ body: { template_id, recipients: '08031234567' } }),
    status: 404,
  },
  'POST /campaigns smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { smartlist_id, content: 'x' } }),
    status: 404,
  },
  'POST /campaigns filters[].column_id': {
    fixture: column,
    ask: (column_id) => ({ body: { content: 'x', filters: [{ column_id, operator: 'not_empty' }] } }),
    status: 400,
  },
  'POST /campaigns filters[].any[].column_id': {
    fixture: column,
    ask: (column_id) => ({ body: { content: 'x', filters: groups(column_id) } }),
    status: 400,
  },
  'POST /campaigns template_id': { fixture: template, ask: (template_id) => ({ body: { template_id } }), status: 404 },
  'POST /campaigns texts[].template_id': {
    fixture: template,
    ask: (template_id) => ({ body: { texts: [{ template_id }, { content: 'x' }] } }),
    status: 404,
  },
  'POST /sms/estimate smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { smartlist_id, content: 'x' } }),
    status: 400,
  },
  'POST /sms/estimate template_id': {
    fixture: template,
    ask: (template_id) => ({ body: { template_id, recipients: '08031234567' } }),
    status: 404,
  },
  'POST /lists/contact/sends smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { smartlist_id, content: 'x' } }),
    status: 404,
  },
  'POST /lists/contact/sends template_id': {
    fixture: template,
    ask: (template_id) => ({ body: { template_id, smartlist_id: newId() } }),
    status: 404,
  },
  'POST /otp/verify id': { fixture: otp, ask: (id) => ({ body: { id, token: '482913' } }), status: 404 },
  'POST /lists/contact/rows/query smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { smartlist_id } }),
    status: 404,
  },
  'POST /lists/contact/rows/query filters[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { filters: filters(id) } }),
    status: 400,
  },
  'POST /lists/contact/rows/query filters[].any[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { filters: groups(id) } }),
    status: 400,
  },
  'POST /lists/contact/changes query.smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { action: 'delete', query: { smartlist_id } } }),
    status: 404,
  },
  'POST /lists/contact/changes query.filters[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { action: 'delete', query: { filters: filters(id) } } }),
    status: 400,
  },
  'POST /lists/contact/changes query.filters[].any[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { action: 'delete', query: { filters: groups(id) } } }),
    status: 400,
  },
  'POST /lists/contact/rows/export smartlist_id': {
    fixture: smartlist,
    ask: (smartlist_id) => ({ body: { smartlist_id } }),
    status: 404,
  },
  'POST /lists/contact/rows/export filters[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { filters: filters(id) } }),
    status: 400,
  },
  'POST /lists/contact/rows/export filters[].any[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { filters: groups(id) } }),
    status: 400,
  },
  'GET /lists/contact/rows/export smartlist_id': {
    fixture: smartlist,
    ask: (id) => ({ path: `?smartlist_id=${id}` }),
    status: 404,
  },
  'POST /lists/contact/smartlists filters[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { name: 'x', filters: filters(id) } }),
    status: 400,
  },
  'GET /balance subject_id': { fixture: message, ask: (id) => ({ path: `?subject_id=${id}` }), status: 200 },
  'GET /balance.csv subject_id': { fixture: message, ask: (id) => ({ path: `?subject_id=${id}` }), status: 200 },
  'GET /requests key_id': { fixture: key, ask: (id) => ({ path: `?key_id=${id}` }), status: 200 },
  'GET /requests request_id': { fixture: request, ask: (id) => ({ path: `?request_id=${id}` }), status: 200 },
  'POST /lists/contact/smartlists filters[].any[].column_id': {
    fixture: column,
    ask: (id) => ({ body: { name: 'x', filters: groups(id) } }),
    status: 400,
  },
  'GET /callbacks webhook_id': { fixture: webhook, ask: (id) => ({ path: `?webhook_id=${id}` }), status: 200 },
  'GET /callbacks event_id': { fixture: callback, ask: (id) => ({ path: `?event_id=${id}` }), status: 200 },
  'GET /callbacks subject_id': { fixture: message, ask: (id) => ({ path: `?subject_id=${id}` }), status: 200 },
}
