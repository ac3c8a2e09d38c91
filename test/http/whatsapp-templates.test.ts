import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeGraph } from '../../src/carriers/whatsapp/graph.ts'
import type { WhatsappSettings } from '../../src/carriers/whatsapp/schema.ts'
import { syncTemplates } from '../../src/carriers/whatsapp/sync.ts'
import { startHandsets, type Handsets } from '../../src/emulators/whatsapp/handsets.ts'
import {
  APP_SECRET,
  NUMBER,
  ORDER_UPDATE,
  postWebhook,
  startMetaServer,
  type MetaServer,
} from '../support/meta-server.ts'
import { campaignOf, estimated, reached } from '../support/campaign.ts'
import { faults } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Template = {
  id: string
  name: string
  status: string
  category: string
  reason?: string
  quality?: string
  previous_category?: string
  is_own: boolean
  components: object[]
  errors?: { field: string; type: string; message: string }[]
}

let meta: MetaServer
let service: TestService
let handsets: Handsets
/** Two organisations, so that templates that none of them created belong to the operator. */
let by: Organisation
let other: Organisation

beforeAll(async () => {
  meta = await startMetaServer()
  meta.templates = [ORDER_UPDATE]
  service = await openService({
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator' }, meta.settings()],
      routes: [{ name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' }],
    },
    config: { sandbox: true },
  })
  handsets = startHandsets(meta, {
    webhook_url: `${service.url}/carriers/whatsapp/meta`,
    app_secret: APP_SECRET,
    fate: () => 'nothing',
    treat: () => 'take',
    review_ms: 100,
    transit_ms: 1,
  })
  await until('the templates', async () => (await service.db`select 1 from whatsapp_templates`).length === 1, 60_000)
  by = await service.organisation({ credit: 100 })
  other = await service.organisation({ credit: 100 })
})
afterAll(async () => {
  await handsets.quiet()
  await service.close()
  await meta.close()
})

function account(): WhatsappSettings {
  return { ...(meta.settings() as WhatsappSettings), graph_version: 'v23.0' }
}

let count = 0
const nameOf = (word = 'order') => `${word}_${(count += 1)}`
const BODY = { type: 'BODY', text: 'Hello {{1}}, it is there.', example: { body_text: [['Ada']] } }
const words = (more: object = {}) => ({
  name: nameOf(),
  language: 'en',
  category: 'utility',
  components: [BODY],
  ...more,
})
const create = (body: object, from = by) => from.call<Template>('POST', '/whatsapp/templates', body)
const read = (id: string, from = by) => from.call<Template>('GET', `/whatsapp/templates/${id}`)
const list = async (from = by) =>
  (await from.call<{ templates: Template[] }>('GET', '/whatsapp/templates')).body.templates
const reviewed = (id: string, status: string) =>
  until(status, async () => {
    const { body } = await read(id)
    return body.status === status && body
  })

/** A webhook of Meta's about a template. */
function post(field: string, name: string, value: object): Promise<number> {
  const about = { message_template_name: name, message_template_language: 'en', ...value }
  return postWebhook(service, JSON.stringify({ entry: [{ id: NUMBER.waba_id, changes: [{ field, value: about }] }] }))
}

describe('a template', () => {
  test('is submitted, reviewed, and then sent', async () => {
    const body = words({ category: 'Utility', components: [{ ...BODY, type: 'body' }] })
    const created = await create(body)
    expect(created).toMatchObject({ status: 200, body: { name: body.name, category: 'utility', is_own: true } })
    await reviewed(created.body.id, 'approved')
    const whatsapp = { name: body.name, language: 'en', parameters: ['name'] }
    const own = await by.call<Template>('POST', '/templates', { name: 'x', content: 'Hello {{name}}', whatsapp })
    const message = {
      recipients: '2348036000001',
      channel: 'whatsapp',
      template_id: own.body.id,
      personalisation: [{ to: '2348036000001', substitutions: { name: 'Ada' } }],
    }
    expect((await by.call('POST', '/sms/send', message)).status).toBe(200)
    await until('it', () => meta.taken.find(({ template }) => template?.name === body.name))
  })

  test('that is rejected has a reason; a changed one is reviewed again', async () => {
    const body = words({ name: nameOf('reject') })
    const { body: created } = await create(body)
    expect(await reviewed(created.id, 'rejected')).toMatchObject({ reason: 'TAG_CONTENT_MISMATCH' })
    const components = [{ ...BODY, text: 'Hello {{1}}, here it is.' }]
    const changed = await by.call<Template>('PATCH', `/whatsapp/templates/${created.id}`, { components })
    expect(changed).toMatchObject({ status: 200, body: { status: 'pending', components } })
    expect(changed.body.reason).toBeUndefined()
    await reviewed(created.id, 'rejected')
  })

  test('follows what Meta says of its quality, its category and its status', async () => {
    const body = words()
    const { body: created } = await create(body)
    await reviewed(created.id, 'approved')
    await post('message_template_quality_update', body.name, { new_quality_score: 'YELLOW' })
    await post('template_category_update', body.name, { previous_category: 'UTILITY', new_category: 'MARKETING' })
    expect((await read(created.id)).body).toMatchObject({
      quality: 'yellow',
      category: 'marketing',
      previous_category: 'utility',
    })
    const other_info = { title: 'FIRST_PAUSE', description: 'Paused for three hours.' }
    await post('message_template_status_update', body.name, { event: 'PAUSED', reason: 'NONE', other_info })
    expect((await read(created.id)).body).toMatchObject({ status: 'paused', reason: 'Paused for three hours.' })
    await post('message_template_status_update', body.name, { event: 'FLAGGED', reason: 'NONE' })
    await post('message_template_status_update', body.name, { event: 'REINSTATED', reason: 'NONE' })
    expect((await read(created.id)).body).toMatchObject({ status: 'approved' })
  })

  test('is deleted at Meta', async () => {
    const { body: created } = await create(words())
    await reviewed(created.id, 'approved')
    expect((await by.call('DELETE', `/whatsapp/templates/${created.id}`)).status).toBe(204)
    expect((await read(created.id)).status).toBe(404)
    expect(meta.templates.some(({ id }) => id === created.id)).toBe(false)
    expect((await by.call('DELETE', `/whatsapp/templates/${created.id}`)).status).toBe(404)
  })

  test('that Meta refuses is not kept, in Meta’s words', async () => {
    const body = words()
    meta.templates = [...meta.templates, { ...ORDER_UPDATE, name: body.name }]
    const refused = await create(body)
    expect([refused.status, ...faults(refused.body)]).toEqual([400, 'components invalid'])
    expect(refused.body.errors?.[0]?.message).toContain('There is already a template with this name')
    expect((await list()).some(({ name }) => name === body.name)).toBe(false)
  })

  test('created by several requests at once is submitted once', async () => {
    const body = words()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(meta.templates.filter(({ name }) => name === body.name)).toHaveLength(1)
  })

  test('whose submission was interrupted belongs to its organisation once it is synchronised', async () => {
    const name = nameOf()
    await service.db`
      insert into whatsapp_templates (carrier, name, language, category, status, components, owner_id, updated_datetime)
      values ('meta', ${name}, 'en', 'UTILITY', 'SUBMITTING', '[]', ${by.id}, now() - interval '1 minute')`
    meta.templates = [...meta.templates, { ...ORDER_UPDATE, name, id: '4711' }]
    const graph = makeGraph(account())
    await syncTemplates({ db: service.db, graph }, 'meta')
    await graph.stop()
    expect((await read('4711')).body).toMatchObject({ name, status: 'approved', is_own: true })
  })
})

describe('permissions', () => {
  test('another organisation neither sees nor sends it', async () => {
    const body = words()
    const { body: created } = await create(body)
    await reviewed(created.id, 'approved')
    expect((await read(created.id, other)).status).toBe(404)
    expect((await list(other)).map(({ name }) => name)).not.toContain(body.name)
    expect((await other.call('DELETE', `/whatsapp/templates/${created.id}`)).status).toBe(404)
    const whatsapp = { name: body.name, language: 'en', parameters: [] }
    const own = await other.call<Template>('POST', '/templates', { name: 'x', content: 'x', whatsapp })
    const message = { recipients: '2348036000002', channel: 'whatsapp', template_id: own.body.id }
    const refused = await other.call<Template>('POST', '/sms/send', message)
    expect(refused.body.errors?.[0]?.message).toContain('Meta does not know it')
  })

  test('a template of the operator is seen and sent, and not changed', async () => {
    const found = (await list()).find(({ name }) => name === ORDER_UPDATE.name)
    expect(found).toMatchObject({ is_own: false })
    expect((await by.call('DELETE', `/whatsapp/templates/${found?.id}`)).status).toBe(403)
    const changed = await by.call('PATCH', `/whatsapp/templates/${found?.id}`, { components: [BODY] })
    expect(changed.status).toBe(403)
  })
})

describe('refused before Meta is asked, naming the field', () => {
  const header = { type: 'HEADER', format: 'TEXT', text: 'x' }
  const WRONG: [object, string[]][] = [
    [{ name: 'Order Update' }, ['name invalid']],
    [{ category: 'advertising' }, ['category enum']],
    [{ components: [header] }, ['components missing']],
    [{ components: [BODY, header, header] }, ['components[2] invalid']],
    [{ components: [{ ...BODY, example: undefined }] }, ['components[0].example.body_text missing']],
    [{ components: [{ ...BODY, text: '{{1}} is there.' }] }, ['components[0].text invalid']],
    [
      { components: [{ ...BODY, text: 'x'.repeat(1_025), example: undefined }] },
      ['components[0].text string_too_long'],
    ],
    [
      { components: [BODY, { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Go', url: 'shop' }] }] },
      ['components[1].buttons[0].url url_parsing'],
    ],
    [{ components: [{ ...BODY, txet: 'x' }] }, ['components[0].txet invalid']],
    [{ language: 7, components: 'x' }, ['components list_type', 'language string_type']],
  ]
  test.each(WRONG)('%j', async (more, fields) => {
    const before = meta.templates.length
    const { status, body } = await create(words(more))
    expect([status, ...faults(body)]).toEqual([400, ...fields])
    expect(meta.templates.length).toBe(before)
  })
})

describe('races', () => {
  test('a review that arrives while the edit is being answered is kept', async () => {
    const { body: created } = await create(words({ name: nameOf('reject') }))
    await reviewed(created.id, 'rejected')
    const review = meta.onTemplate
    // Meta's webhook overtakes the answer to the edit.
    meta.beforeEdit = (template) =>
      post('message_template_status_update', template.name, { event: 'APPROVED', reason: 'NONE' })
    delete meta.onTemplate
    const components = [{ ...BODY, text: 'Hello {{1}}, here it is.' }]
    const changed = await by.call<Template>('PATCH', `/whatsapp/templates/${created.id}`, { components })
    delete meta.beforeEdit
    if (review) meta.onTemplate = review
    expect(changed).toMatchObject({ status: 200, body: { status: 'approved', components } })
  })

  test('a sync that began before a deletion does not bring the template back to everybody', async () => {
    const { body: created } = await create(words())
    await reviewed(created.id, 'approved')
    const graph = makeGraph(account())
    let deletion: { status: number } | undefined
    const slow = {
      ...graph,
      async templates(after: string | undefined) {
        const page = await graph.templates(after)
        deletion ??= await by.call('DELETE', `/whatsapp/templates/${created.id}`)
        return page
      },
    }
    await syncTemplates({ db: service.db, graph: slow }, 'meta')
    expect(deletion?.status).toBe(204)
    for (const one of [by, other]) {
      expect((await read(created.id, one)).status).toBe(404)
      expect((await list(one)).map(({ id }) => id)).not.toContain(created.id)
    }
    await syncTemplates({ db: service.db, graph }, 'meta')
    expect(await service.db`select 1 from whatsapp_templates where template_id = ${created.id}`).toHaveLength(0)
    await graph.stop()
  })

  test('a sync that ends while a template is being submitted keeps the row of its owner; an interrupted one goes', async () => {
    const [running, interrupted] = [nameOf(), nameOf()]
    await service.db`
      insert into whatsapp_templates (carrier, name, language, category, status, components, owner_id, updated_datetime)
      select 'meta', name, 'en', 'UTILITY', 'SUBMITTING', '[]', ${by.id}, now() - age
      from (values (${running}, interval '10 seconds'), (${interrupted}, interval '10 minutes')) as row (name, age)`
    const graph = makeGraph(account())
    await syncTemplates({ db: service.db, graph }, 'meta')
    await graph.stop()
    const left = await service.db`select name from whatsapp_templates where name in (${running}, ${interrupted})`
    expect(left).toEqual([{ name: running }])
  })

  test('edits and deletions by two organisations at once change only what is their own', async () => {
    const { body: mine } = await create(words({ name: nameOf('reject') }))
    const { body: theirs } = await create(words({ name: nameOf('reject') }), other)
    await Promise.all([
      reviewed(mine.id, 'rejected'),
      until('theirs', async () => (await read(theirs.id, other)).body.reason),
    ])
    const components = [{ ...BODY, text: 'Hello {{1}}, changed it is.' }]
    const answers = await Promise.all([
      by.call('PATCH', `/whatsapp/templates/${theirs.id}`, { components }),
      by.call('DELETE', `/whatsapp/templates/${theirs.id}`),
      other.call('PATCH', `/whatsapp/templates/${mine.id}`, { components }),
      other.call('DELETE', `/whatsapp/templates/${mine.id}`),
      by.call('PATCH', `/whatsapp/templates/${mine.id}`, { components }),
      create(words({ name: theirs.name })),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 200, 409])
    expect((await read(theirs.id, other)).body).toMatchObject({ components: [BODY], is_own: true })
    expect((await read(mine.id)).body).toMatchObject({ components })
  })
})

describe('a campaign', () => {
  const shipped = async (): Promise<{ meta_id: string; campaign: string; charge: number }> => {
    const body = words()
    const { body: created } = await create(body)
    await reviewed(created.id, 'approved')
    const whatsapp = { name: body.name, language: 'en', parameters: ['name'] }
    const own = { name: body.name, content: 'Hello {{name}}', whatsapp }
    const template_id = (await by.call<Template>('POST', '/templates', own)).body.id
    const recipients = ['2348036000011', '2348036000012'].map((to) => ({ to, substitutions: { name: 'Ada' } }))
    const campaign = await campaignOf(by, { channel: 'whatsapp', template_id, name: body.name }, recipients)
    const { estimate } = await estimated(by, campaign)
    expect(estimate).toMatchObject({ people: 2 })
    return { meta_id: created.id, campaign, charge: estimate?.charge ?? 0 }
  }
  const start = (campaign: string, charge: number) =>
    by.call<{ message: string }>('POST', `/campaigns/${campaign}/start`, { people: 2, charge })
  const balanceOf = async () => (await by.call<{ balance: number }>('GET', '/balance')).body.balance
  const sentTo = () => meta.taken.filter(({ to }) => to.startsWith('23480360000'))

  test('is refused at its start if the template was edited since the estimate', async () => {
    const before = await balanceOf()
    const { meta_id, campaign, charge } = await shipped()
    const components = [{ ...BODY, text: 'Hello {{1}}, it is different.' }]
    expect((await by.call('PATCH', `/whatsapp/templates/${meta_id}`, { components })).status).toBe(200)
    await reviewed(meta_id, 'approved')
    const refused = await start(campaign, charge)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('was changed since the estimate')
    expect(await balanceOf()).toBe(before)
    await estimated(by, campaign)
    expect((await start(campaign, charge)).status).toBe(200)
    await reached(by, campaign, 'finished')
  })

  test.each([
    ['paused by Meta', 'PAUSED'],
    ['deleted', undefined],
  ])('pauses with the reason, and charges nothing, if the template is %s', async (_, event) => {
    const { meta_id, campaign, charge } = await shipped()
    const [before, sent] = [await balanceOf(), sentTo().length]
    const { body } = await read(meta_id)
    if (event === undefined) await by.call('DELETE', `/whatsapp/templates/${meta_id}`)
    else await post('message_template_status_update', body.name, { event, reason: 'NONE' })
    expect((await start(campaign, charge)).status).toBe(200)
    const paused = await reached(by, campaign, 'paused')
    expect(paused).toMatchObject({ pause_reason: 'refused', fault: expect.stringContaining('cannot be sent') })
    expect(await balanceOf()).toBe(before)
    expect(sentTo().length).toBe(sent)
  })
})

test('a reload connects the accounts of the new configuration', async () => {
  const settings = (more: object) => ({
    carriers: [{ kind: 'simulator', name: 'simulator' }, meta.settings(more)],
    routes: [{ name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' }],
  })
  await service.reload(settings({ access_token: 'expired' }))
  expect((await create(words())).status).toBe(503)
  await service.reload({ ...settings({}), routes: [{ name: 'sms', channel: 'sms', carrier: 'simulator' }] })
  expect((await create(words())).status).toBe(409)
  await service.reload(settings({}))
  expect((await create(words())).status).toBe(200)
})
