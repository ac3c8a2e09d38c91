import { afterAll, expect } from 'vitest'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage } from '../support/console.ts'
import { desk, type Desk } from '../support/desk.ts'
import { fileOf, PNG } from '../support/files.ts'
import { NUMBER, postWebhook, startMetaServer, templatesAt, type MetaServer } from '../support/meta-server.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const ADA = '2348031234567'

let meta: MetaServer
const at: Desk = desk(
  async () => {
    meta = await startMetaServer()
    return templatesAt(meta)
  },
  { reducedMotion: 'reduce' },
)
afterAll(() => meta?.close())

const fits = async () => expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
const picture = { name: 'window.png', mimeType: 'image/png', buffer: PNG }

test('the sample of a header is a file that is chosen: refused in its field, replaced, kept in the draft, and given to Meta', async () => {
  const { service, page } = at
  await at.sit(service.id, 'templates')
  await page.getByRole('link', { name: 'Create a WhatsApp template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('shipped')
  await choose(dialog.getByLabel('Header'), 'Image')
  await dialog.getByLabel('Text', { exact: true }).fill('Your order is on its way.')
  const submit = dialog.getByRole('button', { name: 'Submit for review' })
  await submit.click()
  await dialog.locator('.field', { hasText: 'Sample file' }).locator('.faults').waitFor()

  const sample = dialog.getByLabel('Sample file')
  await sample.setInputFiles({ name: 'terms.pdf', mimeType: 'application/pdf', buffer: fileOf('pdf') })
  await dialog.locator('.file-line').getByText('terms.pdf').waitFor()
  await dialog.getByRole('progressbar').waitFor({ state: 'hidden' })
  await submit.click()
  await dialog.getByText('The file is application/pdf: Meta reviews a header with image/jpeg or image/png.').waitFor()
  await sample.setInputFiles(picture)
  await dialog.getByRole('figure', { name: 'Preview' }).getByRole('img', { name: 'window.png' }).waitFor()
  at.watch.complaints.splice(0) // what was refused
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await at.calm()
    await fits()
  }

  // The draft is kept with its file.
  await page.reload()
  await dialog.locator('.file-line').getByText('window.png').waitFor()
  await submit.click()
  const row = page.getByRole('row', { name: /^shipped/ })
  await row.waitFor()
  const [found] = meta.sample_uploads.samples.values()
  expect([found?.type, found?.bytes.equals(PNG)]).toEqual(['image/png', true])

  // Meta wants the sample again when the template is changed.
  const value = { message_template_name: 'shipped', message_template_language: 'en', event: 'REJECTED' }
  const changes = [{ field: 'message_template_status_update', value }]
  expect(await postWebhook(service, JSON.stringify({ entry: [{ id: NUMBER.waba_id, changes }] }))).toBe(200)
  await page.reload()
  await row.getByText('rejected').waitFor()
  await row.getByRole('link').first().click()
  await dialog.getByLabel('Text', { exact: true }).fill('Your order has left.')
  await sample.setInputFiles({ ...picture, name: 'door.png' })
  await dialog.locator('.file-line').getByText('door.png').waitFor()
  await submit.click()
  await until('the changed template', () =>
    JSON.stringify(meta.templates.at(-1)?.components).includes('Your order has left.'),
  )
  await dialog.waitFor({ state: 'detached' })
  await at.calm()
})

test('a virtual phone sends a picture and a document into the conversation', async () => {
  const by = await openService()
  await enter(at.context, by, by.id)
  const { page } = at
  await by.call('POST', '/sms/send', { recipients: ADA, channel: 'whatsapp', content: 'Send us a photo' })
  await openPage(page, by, 'phones')
  const phone = page.getByRole('article', { name: /803 123 4567/ })
  const send = phone.getByRole('button', { name: 'Send the answer' })
  await phone.getByText('Send us a photo').waitFor()
  await phone.getByLabel('File to attach').setInputFiles({ ...picture, name: 'gate.png' })
  await phone.locator('.file-line').getByText('gate.png').waitFor()
  await phone.getByLabel(/^Answer from/).fill('Our gate')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await at.calm()
    await fits()
  }
  await send.click()
  await phone.locator('.bubble-row.mine', { hasText: 'Our gate' }).getByRole('img', { name: 'gate.png' }).waitFor()
  const pdf = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: fileOf('pdf') }
  await phone.getByLabel('File to attach').setInputFiles(pdf)
  await phone.locator('.file-line').getByText('Document').waitFor()
  await send.click()
  await phone.locator('.bubble-row.mine', { hasText: 'receipt.pdf' }).getByRole('button', { name: 'Save' }).waitFor()
  await at.calm()

  await openPage(page, by, `conversations/${ADA}`)
  const thread = page.getByRole('log', { name: 'Texts' })
  await thread.locator('.talk', { hasText: 'Our gate' }).getByRole('img', { name: 'gate.png' }).waitFor()
  await thread.locator('.talk', { hasText: 'receipt.pdf' }).getByRole('button', { name: 'Save' }).waitFor()
  await at.calm()
  await by.close()
})
