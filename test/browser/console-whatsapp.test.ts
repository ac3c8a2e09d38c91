import { afterAll, expect } from 'vitest'
import { startHandsets } from '../../src/emulators/whatsapp/handsets.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage } from '../support/console.ts'
import { desk, type Desk } from '../support/desk.ts'
import { fileOf, PNG } from '../support/files.ts'
import {
  APP_SECRET,
  inbound,
  postWebhook,
  startMetaServer,
  statusOf,
  webhookBody,
  whatsappAt,
  type MetaServer,
} from '../support/meta-server.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const ADA = '2348031234567'
const BOLA = '2348057654321'
const SHIPPED = {
  name: 'shipped',
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    { type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' },
    { type: 'FOOTER', text: 'Not interested? Reply STOP' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Got it' }] },
  ],
}

const SALE = {
  name: 'sale',
  language: 'en',
  status: 'APPROVED',
  category: 'MARKETING',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Hello {{1}}, the sale begins today.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Tell me more' },
        { type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' },
      ],
    },
  ],
}

let meta: MetaServer
const at: Desk = desk(
  async () => {
    meta = await startMetaServer()
    meta.templates = [...meta.templates, SHIPPED, SALE]
    return whatsappAt(meta)
  },
  { reducedMotion: 'reduce' },
)
afterAll(() => meta?.close())

const receive = (...messages: object[]) => postWebhook(at.service, webhookBody([{ messages }]))
const say = (id: string, type: string, value: object, context?: string) => ({
  ...inbound(`wamid.${id}`, ADA, ''),
  text: undefined,
  type,
  [type]: value,
  ...(context === undefined ? {} : { context: { id: context } }),
})
const report = (status: string) => {
  const message = meta.taken.at(-1)
  return message ? postWebhook(at.service, webhookBody([{ statuses: [statusOf(message, status)] }])) : undefined
}
/** A person gets one message in six seconds. */
const nextMayGo = () => at.service.db`update whatsapp_users set sent_datetime = null`
const thread = () => at.page.getByRole('log', { name: 'Texts' })
const talk = (text: string | RegExp) => thread().locator('.talk', { hasText: text })
const last = async (count: number) => {
  await until('it at Meta', () => meta.taken.length === count)
  return meta.taken.at(-1)
}
const fits = async () => expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

test('a conversation on WhatsApp: buttons, quotes, reactions, files, ticks, and a template once the window is closed', async () => {
  const { service } = at
  await receive(inbound('wamid.first', ADA, 'Where is my *order*?'))
  const whatsapp = { reply_buttons: [{ id: 'am', title: 'Morning' }], footer: 'Until noon' }
  await service.call('POST', `/conversations/${ADA}/messages`, { content: 'When shall we come?', whatsapp })
  const asked = await last(1)
  await until('its id', async () => (await service.db`select 1 from submissions`).length === 1)
  await at.sit(service.id, `conversations/${ADA}`)
  const { page } = at
  await page.getByText(/^WhatsApp accepts free text until \d/).waitFor()
  const question = talk('When shall we come?')
  await question.getByText('Morning').waitFor()
  await question.getByText('Until noon').waitFor()
  await question.getByText('Sent', { exact: true }).waitFor({ state: 'attached' })

  // Read ticks follow Meta's webhooks.
  await report('delivered')
  await question.getByText('Delivered', { exact: true }).waitFor({ state: 'attached' })
  await report('read')
  await question.locator('.ticks.read').waitFor()
  await question.getByText(/^Read \d/).waitFor({ state: 'attached' })

  // What the person presses, reacts with and shares.
  const choice = { type: 'button_reply', button_reply: { id: 'am', title: 'Morning' } }
  await receive(say('pressed', 'interactive', choice, asked?.wamid))
  await talk('Morning')
    .last()
    .getByRole('button', { name: /You\s*When shall we come\?/ })
    .waitFor()
  await receive(say('liked', 'reaction', { message_id: asked?.wamid, emoji: '👍' }))
  await question.getByText('reacted with 👍').waitFor({ state: 'attached' })
  const person = { name: { formatted_name: 'Bola Ade' }, phones: [{ phone: '+2348057654321', wa_id: '2348057654321' }] }
  await receive(
    say('place', 'location', { latitude: 6.4281, longitude: 3.4219, name: 'Our gate' }),
    say('person', 'contacts', [person]),
    say('order', 'order', {}),
  )
  expect(
    await thread()
      .getByRole('link', { name: /Our gate/ })
      .getAttribute('href'),
  ).toContain('mlat=6.4281')
  await talk('Bola Ade')
    .getByText(/805 ?765 ?4321/)
    .waitFor()
  await thread().getByText('Order', { exact: true }).waitFor()
  await at.calm()

  // A reply that quotes, and a reaction.
  await nextMayGo()
  await page.getByRole('button', { name: 'Reply to Where is my *order*?' }).click()
  await page.getByLabel('Your answer').fill('It left this morning.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await talk('It left this morning.')
    .getByRole('button', { name: /Where is my/ })
    .waitFor()
  expect(await last(2)).toMatchObject({ context: { message_id: 'wamid.first' } })
  await nextMayGo()
  await talk('Our gate').getByText('React', { exact: true }).click()
  await page.getByRole('button', { name: 'React with 🙏' }).click()
  await talk('Our gate').getByText('You reacted with 🙏').waitFor({ state: 'attached' })
  expect(await last(3)).toMatchObject({ type: 'reaction', reaction: { message_id: 'wamid.place', emoji: '🙏' } })

  // A file that is refused, and one that is sent.
  const file_input = page.getByLabel('File to attach')
  await file_input.setInputFiles({
    name: 'malware.exe',
    mimeType: 'application/x-msdownload',
    buffer: Buffer.from('MZ'),
  })
  await page.locator('.file-line [role=alert]').waitFor()
  await file_input.setInputFiles({ name: 'parcel.png', mimeType: 'image/png', buffer: PNG })
  await page.locator('.file-line').getByText('Image').waitFor()
  await page.getByLabel('Your answer').fill('Your parcel')
  await nextMayGo()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await talk('Your parcel').getByRole('img', { name: 'Image' }).waitFor()
  expect(await last(4)).toMatchObject({ type: 'image', image: { caption: 'Your parcel' } })
  at.watch.complaints.splice(0) // the file that was refused
  await at.calm()

  // The window closes: only templates are left.
  await service.call('POST', '/templates', {
    name: 'Shipped',
    content: 'Hello {{name|there}}, your order {{order}} is on its way.',
    whatsapp: { name: 'shipped', language: 'en', parameters: ['name', 'order'] },
  })
  await service.db`update conversations set received_datetime = now() - interval '25 hours'`
  await service.db`update whatsapp_users set received_datetime = now() - interval '25 hours', sent_datetime = null`
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.reload()
    await page.getByText(/^WhatsApp’s 24-hour window ended/).waitFor()
    expect(await page.getByLabel('Your answer').count()).toBe(0)
    await at.calm()
    await fits()
    await page.getByRole('button', { name: 'Send a template' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Shipped/ }).click()
    await dialog.getByText('Fill in order first.').waitFor()
    await dialog.getByLabel('order').fill('1042')
    await dialog
      .getByRole('figure', { name: 'Preview' })
      .getByText('Hello there, your order 1042 is on its way.')
      .waitFor()
    await dialog.getByText('Got it').waitFor()
    await dialog.getByText(/₦/).waitFor()
    await at.calm()
    await fits()
    if (width === 390) await page.reload()
    else await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  }
  await talk('your order 1042 is on its way').getByText('Got it').waitFor()
  expect(await last(5)).toMatchObject({ type: 'template', template: { name: 'shipped', language: { code: 'en' } } })
  await at.calm()
})

test('a photo that a person sends appears in the open conversation', async () => {
  const { service, page } = at
  const handsets = startHandsets(meta, {
    webhook_url: `${service.url}/carriers/whatsapp/meta`,
    app_secret: APP_SECRET,
    fate: () => 'nothing',
    treat: () => 'take',
    review_ms: 1,
    transit_ms: 1,
  })
  await handsets.write(BOLA, { text: { body: 'Here is the photo' } })
  await at.sit(service.id, `conversations/${BOLA}`)
  await talk('Here is the photo').waitFor()
  await handsets.sendFile(BOLA, { bytes: PNG, type: 'image/png', filename: 'photo.png' })
  const photo = thread().getByRole('img', { name: 'Image' })
  await photo.waitFor()
  expect(await photo.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBe(1)
  await handsets.sendFile(BOLA, { bytes: fileOf('pdf'), type: 'application/pdf', filename: 'receipt.pdf' })
  const file = talk('receipt.pdf')
  const saved = page.waitForEvent('download')
  await file.getByRole('button', { name: 'Save' }).click()
  expect((await saved).suggestedFilename()).toBe('receipt.pdf')
  await at.calm()
})

test('a campaign with the picture of a header and buttons is written, checked, sent, and read', async () => {
  const { service, page } = at
  const { body: photo } = await service.call<{ id: string }>('POST', '/media', PNG, { 'content-type': 'image/png' })
  await service.call('POST', '/templates', {
    name: 'Sale',
    content: 'Hello {{Name|there}}, the sale begins today.',
    whatsapp: {
      name: 'sale',
      language: 'en',
      parameters: ['Name'],
      header: { image: { id: photo.id } },
      buttons: [
        { index: 0, payload: 'more' },
        { index: 1, url: 'sale?to={{Name|you}}' },
      ],
    },
  })
  const before = meta.taken.length
  await at.sit(service.id, 'campaigns/new')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByLabel('Name of the campaign').fill('Sale')
  await press('Continue')
  await press('A file or numbers')
  const buffer = Buffer.from('Mobile,Name\n08036100001,Ada\n08036100002,Bola\n')
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByText('Values: Name.').waitFor()
  await choose(page.getByLabel('Channel'), 'WhatsApp')
  await choose(page.getByLabel('Template', { exact: true }), 'Sale')
  await page.getByText('All changes saved').waitFor()
  await at.calm()
  await press('Check recipients and cost')
  await page.locator('.figure', { hasText: 'People' }).getByText('2', { exact: true }).waitFor()
  await at.calm()
  await press('Send…')
  await press('Send it')
  await until('both at Meta', () => meta.taken.length === before + 2)
  const sent = meta.taken.slice(before).toSorted((one, other) => one.to.localeCompare(other.to))
  for (const [n, name] of ['Ada', 'Bola'].entries()) {
    const components = sent[n]?.template?.components
    expect(components).toHaveLength(4)
    expect(components).toEqual(
      expect.arrayContaining([
        { type: 'header', parameters: [{ type: 'image', image: { id: expect.any(String) } }] },
        { type: 'body', parameters: [{ type: 'text', text: name }] },
        expect.objectContaining({ sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: 'more' }] }),
        expect.objectContaining({ sub_type: 'url', parameters: [{ type: 'text', text: `sale?to=${name}` }] }),
      ]),
    )
  }
  for (const status of ['delivered', 'read']) {
    const statuses = sent.map((message) => statusOf(message, status))
    await postWebhook(service, webhookBody([{ statuses }]))
  }
  await page.getByRole('listitem').filter({ hasText: 'Delivered' }).getByText('2').first().waitFor()
  await at.calm()
})

test('a virtual phone shows buttons and lists, and what is pressed arrives in the conversation', async () => {
  const by = await openService()
  await enter(at.context, by, by.id)
  const send = (content: string, whatsapp: object) =>
    by.call('POST', '/sms/send', { recipients: ADA, channel: 'whatsapp', content, whatsapp })
  const { page } = at
  await openPage(page, by, 'phones')
  const sections = [{ rows: [{ id: 'express', title: 'Express', description: 'Tomorrow' }] }]
  await send('When?', { reply_buttons: [{ id: 'am', title: 'Morning' }], header: { text: 'A question' } })
  await send('How?', { list: { button: 'Choose', sections } })
  const phone = page.getByRole('article', { name: /803 123 4567/ })
  await phone.getByText('A question').waitFor()
  await phone.getByRole('button', { name: 'Morning' }).click()
  await phone.locator('.bubble-row.mine').getByText('Morning').waitFor()
  await phone.getByText('Choose', { exact: true }).click()
  await phone.getByRole('button', { name: /Express/ }).click()
  await phone.locator('.bubble-row.mine').getByText('Express').waitFor()
  await at.calm()
  const { body } = await by.call<{ inbound: { text: string; whatsapp: object }[] }>('GET', '/inbound')
  expect(body.inbound.map(({ text, whatsapp }) => [text, whatsapp])).toMatchObject([
    ['Express', { type: 'list_reply', list_reply: { id: 'express', title: 'Express', description: 'Tomorrow' } }],
    ['Morning', { type: 'button_reply', button_reply: { id: 'am', title: 'Morning' } }],
  ])
  await openPage(page, by, `conversations/${ADA}`)
  await talk('Express').last().getByRole('button', { name: /How\?/ }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await openPage(page, by, 'phones')
  await phone.getByText('A question').waitFor()
  await at.calm()
  await fits()
  await by.close()
})

test('a virtual phone shows header, buttons and cards of a template, and a quick reply answers', async () => {
  const by = await openService()
  await enter(at.context, by, by.id)
  const { body: photo } = await by.call<{ id: string }>('POST', '/media', PNG, { 'content-type': 'image/png' })
  const about = { name: 'shipped', language: 'en', parameters: ['order'] }
  const make = async (whatsapp: object) => {
    const content = 'Your order {{order}} is on its way.'
    const made = await by.call<{ id: string }>('POST', '/templates', {
      name: 'Shipped',
      content,
      whatsapp: { ...about, ...whatsapp },
    })
    const personalisation = [{ to: ADA, substitutions: { order: '1042' } }]
    const template_id = made.body.id
    await by.call('POST', '/sms/send', { recipients: ADA, channel: 'whatsapp', template_id, personalisation })
  }
  const card = (product: string) => ({
    header: { image: { id: photo.id } },
    texts: [product],
    buttons: [{ index: 0, payload: `buy ${product}` }],
  })
  await make({
    header: { image: { id: photo.id } },
    buttons: [
      { index: 0, payload: 'got {{order}}' },
      { index: 1, code: 'SPRING' },
    ],
  })
  await make({ header: { location: { latitude: '6.4281', longitude: '3.4219', name: 'Our shop' } } })
  await make({ header: { text: 'News for {{order}}' } })
  await make({ cards: [card('Shoes'), card('Hats')] })
  const { page } = at
  await openPage(page, by, 'phones')
  const phone = page.getByRole('article', { name: /803 123 4567/ })
  await phone.getByText('News for 1042').waitFor()
  await phone.getByRole('link', { name: 'Our shop' }).waitFor()
  await phone.getByRole('button', { name: 'Copy SPRING' }).waitFor()
  await until('three pictures', async () => (await phone.getByRole('img', { name: 'Image' }).count()) === 3)
  await phone.getByRole('button', { name: 'got 1042' }).click()
  await phone.locator('.bubble-row.mine').getByText('got 1042').waitFor()
  await phone.getByRole('list', { name: 'Cards' }).getByRole('button', { name: 'buy Hats' }).click()
  await phone.locator('.bubble-row.mine').getByText('buy Hats').waitFor()
  const { body } = await by.call<{ inbound: { whatsapp: object }[] }>('GET', '/inbound')
  expect(body.inbound.map(({ whatsapp }) => whatsapp)).toMatchObject([
    { type: 'button_reply', button_reply: { id: 'buy Hats' }, reply_to: expect.any(String) },
    { type: 'button_reply', button_reply: { id: 'got 1042' }, reply_to: expect.any(String) },
  ])
  await at.calm()
  await page.setViewportSize({ width: 390, height: 800 })
  await fits()
  await openPage(page, by, `conversations/${ADA}`)
  await talk('Your order 1042').first().getByRole('img', { name: 'Image' }).waitFor()
  await at.calm()
  await fits()
  await by.close()
})
