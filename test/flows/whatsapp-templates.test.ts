import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { LOGIN_CODE, ORDER_UPDATE, startMetaServer, type MetaServer, type Taken } from '../support/meta-server.ts'
import { balance, faults } from '../support/otp.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
let by: Organisation

const buttons = (...of: object[]) => ({ type: 'BUTTONS', buttons: of })
const TEMPLATES = [
  LOGIN_CODE,
  ORDER_UPDATE,
  {
    ...ORDER_UPDATE,
    name: 'shipped',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hello {{first_name}}, your order {{number}} is on its way.' },
      buttons(
        { type: 'QUICK_REPLY', text: 'Got it' },
        { type: 'URL', text: 'Track', url: 'https://shop.example/track/{{1}}' },
        { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+15550783881' },
      ),
    ],
  },
  {
    ...ORDER_UPDATE,
    name: 'coupon',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Offers of {{1}}' },
      { type: 'BODY', text: 'Come and see.' },
      buttons({ type: 'COPY_CODE', example: 'SPRING' }),
    ],
  },
  {
    ...ORDER_UPDATE,
    name: 'invoice',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Due.' },
    ],
  },
  {
    ...ORDER_UPDATE,
    name: 'pickup',
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'Here.' },
    ],
  },
  {
    ...ORDER_UPDATE,
    name: 'greeting',
    language: 'fr',
    status: 'PAUSED',
    components: [{ type: 'BODY', text: 'Salut.' }],
  },
  { ...ORDER_UPDATE, name: 'greeting', language: 'en', components: [{ type: 'BODY', text: 'Hello.' }] },
  {
    ...ORDER_UPDATE,
    name: 'products',
    category: 'MARKETING',
    components: [
      { type: 'BODY', text: 'Look at these' },
      {
        type: 'CAROUSEL',
        cards: ['one', 'two'].map(() => ({
          components: [
            { type: 'HEADER', format: 'IMAGE' },
            { type: 'BODY', text: 'Only {{1}} today' },
            buttons({ type: 'URL', text: 'Buy', url: 'https://shop.example/buy/{{1}}' }),
          ],
        })),
      },
    ],
  },
]

beforeAll(async () => {
  meta = await startMetaServer()
  meta.templates = TEMPLATES
  service = await openService({
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, meta.settings()],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
    },
    config: { sandbox: true },
  })
  const synced = async () => (await service.db`select 1 from whatsapp_templates`).length === TEMPLATES.length
  await until('the templates', synced, 60_000)
})
afterAll(async () => {
  await service.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation({ credit: 100 })
  meta.taken.length = 0
})

let next_number = 2_348_034_000_000
const stranger = (): string => String((next_number += 1))

type Sent = { id: string; errors?: { field: string; type: string; message: string }[] }
type Template = { id: string; placeholders: { name: string }[] }

async function template(whatsapp: object, content = 'Hello {{name|there}}, order {{order}}.'): Promise<string> {
  const { body, text } = await by.call<Template>('POST', '/templates', { name: 'Shipped', content, whatsapp })
  expect(text).toContain('"id"')
  return body.id
}

const send = (template_id: string, values: Record<string, object>) =>
  by.call<Sent>('POST', '/sms/send', {
    recipients: Object.keys(values),
    channel: 'whatsapp',
    template_id,
    personalisation: Object.entries(values).map(([to, substitutions]) => ({ to, substitutions })),
  })

const taken = (count = 1): Promise<Taken[]> =>
  until(`${count} accepted`, () => meta.taken.length >= count && meta.taken)

/** The components of the message to a new number with these values. */
async function sentWith(whatsapp: object, values: object, content?: string): Promise<object | undefined> {
  const { status, text } = await send(await template(whatsapp, content), { [stranger()]: values })
  expect([status, text]).toEqual([200, expect.any(String)])
  return (await taken())[0]?.template
}

const SHIPPED = {
  name: 'shipped',
  language: 'en',
  parameters: ['order', 'name'],
  parameter_names: ['number', 'first_name'],
  header: { image: { link: 'https://shop.example/{{order}}.jpg' } },
  buttons: [
    { index: 1, url: '{{order}}?to={{name|you}}' },
    { index: 0, payload: 'got {{order}}' },
  ],
}

describe('a template', () => {
  test('is composed for each recipient: header, named parameters and buttons', async () => {
    const id = await template(SHIPPED)
    const [ada, other] = [stranger(), stranger()]
    expect((await send(id, { [ada]: { name: 'Ada', order: '1042' }, [other]: { order: '7' } })).status).toBe(200)
    const messages = await taken(2)
    expect(messages.find(({ to }) => to === ada)?.template).toEqual({
      name: 'shipped',
      language: { code: 'en', policy: 'deterministic' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'first_name', text: 'Ada' },
            { type: 'text', parameter_name: 'number', text: '1042' },
          ],
        },
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://shop.example/1042.jpg' } }] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '1042?to=Ada' }] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'got 1042' }] },
      ],
    })
    expect(JSON.stringify(messages.find(({ to }) => to === other)?.template)).toContain('7?to=you')
    expect(await balance(by)).toBe(88)
  })

  test('takes a text in its header, and a code to copy', async () => {
    const wish = {
      name: 'coupon',
      language: 'en',
      parameters: [],
      header: { text: '{{month|May}}' },
      buttons: [{ index: 0, code: 'SAVE{{percent}}' }],
    }
    expect(await sentWith(wish, { percent: '20' }, 'Come and see.')).toMatchObject({
      components: [
        { type: 'header', parameters: [{ type: 'text', text: 'May' }] },
        { sub_type: 'copy_code', index: '0', parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }] },
      ],
    })
  })

  test('takes a document with its name, or a location', async () => {
    const document = { link: 'https://shop.example/{{order}}.pdf', filename: 'Invoice {{order}}.pdf' }
    const wish = { name: 'invoice', language: 'en', parameters: [], header: { document } }
    expect(await sentWith(wish, { order: '7' })).toMatchObject({
      components: [{ parameters: [{ document: { link: 'https://shop.example/7.pdf', filename: 'Invoice 7.pdf' } }] }],
    })
    meta.taken.length = 0
    const location = { latitude: '6.4281', longitude: '{{longitude}}', name: 'Our shop' }
    const pickup = { name: 'pickup', language: 'en', parameters: [], header: { location } }
    expect(await sentWith(pickup, { order: '7', longitude: '3.42' })).toMatchObject({
      components: [{ parameters: [{ location: { ...location, longitude: '3.42' } }] }],
    })
  })

  test('for authentication has its code in the text and in the button', async () => {
    const wish = { name: 'login_code', language: 'en', parameters: ['order'] }
    expect(await sentWith(wish, { order: '482913' })).toMatchObject({
      components: [
        { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '482913' }] },
      ],
    })
  })

  test('with a carousel has the values of each card', async () => {
    const card = (product: string) => ({
      header: { image: { link: `https://shop.example/{{${product}}}.jpg` } },
      texts: [`{{${product}_price}}`],
      buttons: [{ index: 0, url: `{{${product}}}` }],
    })
    const wish = { name: 'products', language: 'en', parameters: [], cards: [card('first'), card('second')] }
    const values = { order: '7', first: 'shoes', first_price: '$ 20', second: 'hat', second_price: '$ 5' }
    expect(await sentWith(wish, values)).toMatchObject({
      components: [
        {
          type: 'carousel',
          cards: [
            {
              card_index: 0,
              components: [
                { parameters: [{ image: { link: 'https://shop.example/shoes.jpg' } }] },
                { type: 'body', parameters: [{ text: '$ 20' }] },
                { type: 'button', index: '0', parameters: [{ text: 'shoes' }] },
              ],
            },
            { card_index: 1 },
          ],
        },
      ],
    })
  })

  test('is sent in the first of its languages in which it is approved', async () => {
    const wish = { name: 'greeting', language: 'fr', fallback_languages: ['fr_FR', 'en'], parameters: [] }
    expect(await sentWith(wish, { order: '7' })).toMatchObject({ language: { code: 'en' } })
  })

  test('lists the placeholders of all parts', async () => {
    const wish = { ...SHIPPED, header: { image: { link: '{{photo}}' } } }
    const { body } = await by.call<Template>('GET', `/templates/${await template(wish)}`)
    expect(body).toMatchObject({
      whatsapp: wish,
      placeholders: [{ name: 'name', default: 'there' }, { name: 'order' }, { name: 'photo' }],
    })
  })
})

describe('refused before a charge, naming the field', () => {
  const WRONG: [string, object, object, string[], string][] = [
    [
      'no image',
      { ...SHIPPED, header: undefined },
      {},
      ['template_id invalid'],
      'whatsapp.header: its header takes a value of the type image, but none was given',
    ],
    [
      'a video',
      { ...SHIPPED, header: { video: { link: 'https://a.example/b' } } },
      {},
      ['template_id invalid'],
      'but one of the type video was given',
    ],
    [
      'no URL',
      { ...SHIPPED, buttons: [] },
      {},
      ['template_id invalid'],
      'whatsapp.buttons: its button 1 takes a url, but none was given',
    ],
    [
      'a code for a URL',
      { ...SHIPPED, buttons: [{ index: 1, code: 'x' }] },
      {},
      ['template_id invalid'],
      'whatsapp.buttons[0]: its button 1 takes a url',
    ],
    [
      'a button that is not there',
      { ...SHIPPED, buttons: [...SHIPPED.buttons, { index: 5, payload: 'x' }] },
      {},
      ['template_id invalid'],
      'it has no button 5',
    ],
    [
      'a wrong name',
      { ...SHIPPED, parameter_names: ['number', 'last_name'] },
      {},
      ['template_id invalid'],
      'its parameters are first_name, number',
    ],
    [
      'cards',
      { ...SHIPPED, cards: [{}] },
      {},
      ['template_id invalid'],
      'whatsapp.cards: it has 0 cards, but 1 were given',
    ],
    [
      'a value that is missing',
      { ...SHIPPED, header: { image: { link: '{{photo}}' } } },
      {},
      ['personalisation[0].substitutions.photo unknown_placeholder'],
      'There is no value for {{photo}}',
    ],
    [
      'an address that is none',
      { ...SHIPPED, header: { image: { link: '{{name}}' } } },
      {},
      ['personalisation[0].substitutions.name url_parsing'],
      'whatsapp.header.image.link: it is not an https address',
    ],
    [
      'an empty value',
      SHIPPED,
      { name: '' },
      ['personalisation[0].substitutions.name string_too_short'],
      'whatsapp.parameters[1]: it is empty',
    ],
    [
      'a long payload',
      SHIPPED,
      { order: 'x'.repeat(126) },
      ['personalisation[0].substitutions.order string_too_long'],
      'whatsapp.buttons[1].payload: it has 130 characters, at most 128 are possible',
    ],
    [
      'a long text',
      SHIPPED,
      { name: 'x'.repeat(1_020) },
      ['personalisation[0] string_too_long'],
      'whatsapp.parameters: the text would have',
    ],
  ]
  test.each(WRONG)('%s', async (_, whatsapp, values, fields, sentence) => {
    const id = await template(whatsapp)
    const asked = { name: 'Ada', order: '1042', ...values }
    const { status, body } = await send(id, { [stranger()]: asked })
    expect([status, ...faults(body)]).toEqual([400, ...fields])
    expect(body.errors?.map(({ message }) => message).join()).toContain(sentence)
    expect(await balance(by)).toBe(100)
    expect(meta.taken).toEqual([])
  })

  test('with other faults of the request, all at once', async () => {
    const id = await template({ ...SHIPPED, header: { image: { link: '{{photo}}' } } })
    const { body } = await by.call<Sent>('POST', '/sms/send', {
      recipients: stranger(),
      channel: 'whatsapp',
      template_id: id,
      send_at: 'soon',
    })
    expect(faults(body)).toEqual([
      'personalisation unknown_placeholder',
      'personalisation unknown_placeholder',
      'send_at date_invalid',
    ])
  })
})

test('a template whose parts contradict themselves is not stored', async () => {
  const wish = {
    ...SHIPPED,
    parameter_names: ['number'],
    header: { image: { link: 'https://a.example/{{order' } },
    buttons: [
      { index: 0, payload: 'x' },
      { index: 0, payload: 'y' },
    ],
  }
  const content = 'Hello {{name}}, order {{order}}.'
  const refused = await by.call<Sent>('POST', '/templates', { name: 'x', content, whatsapp: wish })
  expect([refused.status, ...faults(refused.body)]).toEqual([
    400,
    'whatsapp.buttons[1].index invalid',
    'whatsapp.header.image.link invalid',
    'whatsapp.parameter_names invalid',
  ])
  const misshapen = { ...SHIPPED, header: { image: { link: 'x' }, text: 'y' }, buttons: [{ index: 0, lable: 'x' }] }
  const shape = await by.call<Sent>('POST', '/templates', { name: 'x', content, whatsapp: misshapen })
  expect([shape.status, ...faults(shape.body)]).toEqual([
    400,
    'whatsapp.buttons[0].lable invalid',
    'whatsapp.header invalid',
  ])
  const long = { ...SHIPPED, buttons: Array.from({ length: 5 }, (_, index) => ({ index, payload: 'x'.repeat(1_900) })) }
  const size = await by.call<Sent>('POST', '/templates', { name: 'x', content, whatsapp: long })
  expect(faults(size.body)).toEqual(['whatsapp string_too_long'])
})

test('a message to a list leaves out those whose values the template does not take, and is sent to the others', async () => {
  const { body: table } = await by.call<{ columns: { name: string }[] }>('GET', '/lists/contact')
  expect(table.columns.length).toBeGreaterThan(1)
  await by.call('POST', '/lists/contact/columns', { name: 'Photo', type: 'TEXT' })
  const [good, bad] = [stranger(), stranger()]
  await by.call('POST', '/lists/contact/rows', { columns: { Mobile: good, Photo: 'https://shop.example/1.jpg' } })
  await by.call('POST', '/lists/contact/rows', { columns: { Mobile: bad, Photo: 'none' } })
  const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'all', filters: [] })
  const wish = { name: 'invoice', language: 'en', parameters: [], header: { document: { link: '{{Photo}}' } } }
  const template_id = await template(wish, 'Your invoice.')
  const sent = await by.call<{ id: string }>('POST', '/sms/send', {
    smartlist_id: list.body.id,
    channel: 'whatsapp',
    template_id,
  })
  expect(sent.status).toBe(200)
  const campaign = await until('the end', async () => {
    const { body } = await by.call<{ status: string; estimate: object }>('GET', `/campaigns/${sent.body.id}`)
    return body.status === 'finished' && body
  })
  expect(campaign.estimate).toMatchObject({ left_out: { incomplete: 1 } })
  expect((await taken()).map(({ to }) => to)).toEqual([good])
  expect(await balance(by)).toBe(94)
})
