import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { campaignOf, estimated, reached, type Report } from '../support/campaign.ts'
import { desk } from '../support/desk.ts'
import { person } from '../support/person.ts'
import type { Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

const at = desk()
/** Where senders must be approved. */
const live = desk({ config: { sandbox: false } })

const buttonIn = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const button = (name: string) => buttonIn(at.page, name)
const dialog = () => at.page.getByRole('dialog')
const figure = (name: string) => at.page.locator('.figure', { hasText: name })

test('the composer counts with short links, says what forces UCS-2, offers approved senders, and previews each recipient', async () => {
  const { page, service } = live
  const by = await service.organisation()
  for (const sender_id of ['Market', 'Clinic']) await by.call('POST', '/senders', { sender_id })
  await decide(by, 'Market', 'approved')
  await live.sit(by.id, 'campaigns/new')
  await page.getByLabel('Name of the campaign').fill('Offer')
  await buttonIn(page, 'Continue').click()
  await buttonIn(page, 'A file or numbers').click()
  const csv = 'Mobile,Name\n08031110001,Ada\n08031110002,Bola\n'
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('2 rows. Numbers from the column “Mobile”.').waitFor()

  const text = page.getByLabel('Text', { exact: true })
  await text.fill(`Hello {{name}}: https://example.com/${'offer/'.repeat(20)}`)
  await page.getByText(/^1\d\d characters, 1 page/).waitFor()
  await page.getByLabel('Count clicks on links').check()
  await page.getByText('Counted with short links.').waitFor()
  await page.getByText(/^\d\d characters, 1 page/).waitFor()
  const bubble = page.locator('.send-bubble')
  await bubble.getByText(/^Hello Ada: http:\/\/127\.0\.0\.1:\d+\/l\/\S+$/).waitFor()
  await buttonIn(page, 'Next recipient').click()
  await bubble.getByText(/^Hello Bola: /).waitFor()
  expect(await buttonIn(page, 'Next recipient: this is the last').isDisabled()).toBe(true)
  await text.fill('Hello {{name}}, ẹ káàbọ̀')
  await page.getByText(/not in the GSM alphabet: a page holds 70 characters instead of 160/).waitFor()

  const sender = page.getByLabel('Sender')
  await sender.click()
  await page.getByRole('option').first().waitFor()
  expect(await page.getByRole('option').allTextContents()).toEqual(['Default: Gangan', 'Market', 'Gangan'])
  await page.keyboard.press('Escape')
  await choose(sender, 'Market')
  await page.getByText('From Market to +234 803 111 0002').waitFor()
  await live.calm()
})

test('a message in live mode is sent from an approved sender; on WhatsApp from a number', async () => {
  const { page, service } = live
  const by = await service.organisation()
  for (const sender_id of ['Shop', 'Waiting']) await by.call('POST', '/senders', { sender_id })
  await decide(by, 'Shop', 'approved')
  await live.sit(by.id, 'send')
  const sender = page.getByLabel('Sender')
  await sender.click()
  await page.getByRole('option', { name: 'Shop' }).waitFor()
  expect(await page.getByRole('option').allTextContents()).toEqual(['Default: Gangan', 'Shop', 'Gangan'])
  await page.keyboard.press('Escape')
  await choose(sender, 'Shop')
  await page.getByRole('textbox', { name: 'Recipients' }).fill('08031110001')
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
  await buttonIn(page, 'Send').click()
  await page.getByRole('heading', { level: 1, name: /message/i }).waitFor()
  const { messages } = (await by.call<{ messages: { sender_id: string }[] }>('GET', '/sms')).body
  expect(messages.map(({ sender_id }) => sender_id)).toEqual(['Shop'])

  await live.open('send')
  await choose(page.getByLabel('Channel'), 'WhatsApp')
  await page.getByRole('textbox', { name: 'Sender' }).fill('+234 803 111 0000')
  await live.calm()
})

test('the review shows every text, the filters, and who is left out; a balance that is too low is topped up there', async () => {
  const { page, service } = at
  const by = await service.organisation({ credit: 10 })
  const texts = [
    { content: 'Hello {{name}}', share: 75 },
    { content: 'Good morning {{name}}', share: 25 },
  ]
  // So many that both texts have some of them.
  const people = Array.from({ length: 60 }, (_, n) => ({ to: `080311100${10 + n}`, substitutions: { name: 'Ada' } }))
  const id = await campaignOf(by, { texts, name: 'Compared', route_class: 'promotional', is_trackable: true }, [
    ...people,
    { to: '0803', substitutions: { name: 'Nobody' } },
  ])
  await estimated(by, id)
  await at.sit(by.id, `campaigns/${id}`)
  await page.getByText('Ask the operator of this service to top it up.').waitFor()
  expect(await button('Top up').count()).toBe(0)

  await page.evaluate(`localStorage.setItem('gangan.organisation', '${by.id}')`)
  await page.goto('about:blank')
  await at.sit(null, `campaigns/${id}`)
  await figure('Left out').getByText('1', { exact: true }).waitFor()
  await figure('Balance after').getByText('−₦230.00').waitFor()
  const settings = page.locator('.panel', { hasText: 'Settings of the campaign' })
  for (const said of ['Text 1, 75%', 'Good morning {{name}}', 'Promotional', 'Clicks on links are counted']) {
    await settings.getByText(said, { exact: true }).waitFor()
  }
  await page.getByText(/^Text 2, GSM, 1 page$/).waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), button('Download as CSV').click()])
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^0803,.*bad_number/m)

  const short = page.getByText('The balance does not cover it.')
  await short.waitFor()
  await button('Top up').click()
  await dialog().getByLabel('Amount in NGN').fill('1,000')
  await dialog().getByLabel('Reason').fill('Invoice 17')
  await at.calm()
  await dialog().getByRole('button', { name: 'Record it' }).click()
  await short.waitFor({ state: 'detached' })
  await figure('Balance after').getByText('₦770.00').waitFor()
})

test('a campaign that nobody would receive cannot be sent, and says so', async () => {
  const { page, service } = at
  const by = await service.organisation()
  const id = await campaignOf(by, { content: 'Hello {{name}}', name: 'Nobody' }, [{ to: '08031110001' }])
  await estimated(by, id)
  await at.sit(by.id, `campaigns/${id}`)
  await page.getByText('No recipient would get it.').waitFor()
  expect(await button('Send…').isDisabled()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Cost breakdown' }).count()).toBe(0)
  await at.calm()
})

test('the report has rates on one base, a chart, operators and reasons, and the campaign is duplicated', async () => {
  const { page, service } = at
  const by = await service.organisation()
  const texts = [
    { content: 'See https://example.com/a', share: 50 },
    { content: 'Look: https://example.com/b', share: 50 },
  ]
  const people = [...Array.from({ length: 6 }, (_, n) => `0803111000${n}`), '2348000000001', '2348000000002']
  const id = await campaignOf(
    by,
    { texts, name: 'Answered', is_trackable: true },
    people.map((to) => ({ to })),
  )
  const { estimate } = await estimated(by, id)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  await reached(by, id, 'finished')
  await answer(by, id)

  await at.sit(by.id, `campaigns/${id}`)
  const step = (name: string) => page.locator('.campaign-funnel li', { hasText: name })
  for (const [name, share] of [
    ['Sent', '100%'],
    ['Delivered', '75%'],
    ['Clicked', '12.5%'],
    ['Replied', '25%'],
    ['Opted out', '12.5%'],
  ] as const) {
    await step(name).getByText(share, { exact: true }).waitFor()
  }
  const over_time = page.getByRole('region', { name: 'Over time' })
  await over_time.locator('svg path.columns').waitFor()
  await over_time.getByRole('button', { name: 'Failed' }).click()
  await page
    .getByRole('table', { name: 'By operator' })
    .getByRole('row', { name: /^MTN 6 6$/ })
    .waitFor()
  const reasons = page.getByRole('table', { name: 'Not delivered, by reason and operator' })
  await reasons
    .getByRole('row', { name: /absent subscriber.*retry later/i })
    .first()
    .waitFor()
  await page
    .getByRole('table', { name: 'Texts' })
    .getByRole('row', { name: /Text 2/ })
    .waitFor()
  await at.calm()

  await button('Duplicate').click()
  await page.getByText('All changes saved').waitFor()
  expect(page.url()).not.toContain(id)
  expect(await page.getByLabel('Text 2', { exact: true }).inputValue()).toBe('Look: https://example.com/b')
})

async function decide(by: Organisation, sender_id: string, state: string): Promise<void> {
  const operator = await person(live.service, null)
  const { body } = await by.call<{ senders: { id: string; sender_id: string }[] }>('GET', '/senders')
  const id = body.senders.find((sender) => sender.sender_id === sender_id)?.id ?? ''
  const decided = await operator.call('POST', `/console/api/senders/${id}`, { organisation_id: by.id, state })
  expect(decided.status).toBe(200)
}

/** One recipient opens the link and replies, and another one replies STOP. */
async function answer(by: Organisation, id: string): Promise<void> {
  type Sent = { messages: { id: string }[] }
  type Message = { deliveries: { recipient: string; links: { short_url: string }[] }[] }
  const sent = await by.call<Sent>('GET', `/sms?campaign_id=${id}`)
  const messages = await Promise.all(sent.body.messages.map((one) => by.call<Message>('GET', `/sms/${one.id}`)))
  const delivery = messages
    .flatMap(({ body }) => body.deliveries)
    .find(({ recipient }) => recipient.endsWith('1110003'))
  await fetch(at.service.url + new URL(delivery?.links[0]?.short_url ?? '').pathname, {
    redirect: 'manual',
    headers: {
      'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36',
    },
  })
  await by.call('POST', '/sandbox/reply', { from: '2348031110003', to: 'Gangan', text: 'Thank you' })
  await by.call('POST', '/sandbox/reply', { from: '2348031110004', to: 'Gangan', text: 'STOP' })
  const is_counted = async () => {
    const { clicked, replied, opted_out } = (await by.call<Report>('GET', `/campaigns/${id}/report`)).body
    return clicked === 1 && replied === 2 && opted_out === 1
  }
  // A slice whose deliveries have ended is counted again after half a minute.
  await until('the answers in the report', is_counted, 90_000)
}
