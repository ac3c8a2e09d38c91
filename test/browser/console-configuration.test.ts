import { afterAll, expect } from 'vitest'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

let smsc: NpmSmsc | undefined
const at = desk(
  async () => {
    smsc = await startNpmSmsc()
    return {
      settings: {
        carriers: [smppCarrier(smsc.port, { name: 'of-file' })],
        routes: [{ name: 'everywhere', channel: 'sms', carrier: 'of-file' }],
      },
    }
  },
  { viewport: { width: 1280, height: 900 } },
)
afterAll(() => smsc?.close())

const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const json = () => dialog().getByLabel('Settings')

test('an operator creates a carrier, corrects its errors, changes a route of it, tests it and deletes both', async () => {
  const { sit, page } = at
  await sit(null, 'carriers')
  const table = page.getByRole('table', { name: 'Configuration' })
  const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name} `) })
  await row('of-file').getByText('configuration file').waitFor()
  expect(await row('of-file').getByRole('button', { name: 'Edit' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Create a carrier' }).click()
  expect(await seriousFaults(page)).toEqual([])
  await json().fill('{ "kind": ')
  expect(await button('Create').isDisabled()).toBe(true)
  await json().fill(JSON.stringify({ ...smppCarrier(smsc?.port ?? 0, { name: 'mtn' }), window: 0, colour: 'red' }))
  await button('Create').click()
  await dialog().getByText('unknown key colour').waitFor()
  await dialog().getByText('must be >= 1').waitFor()
  await json().fill(JSON.stringify(smppCarrier(smsc?.port ?? 0, { name: 'mtn' })))
  await button('Create').click()
  await row('mtn').waitFor()

  await page.getByRole('button', { name: 'Create a route' }).click()
  await json().fill(JSON.stringify({ name: 'home', channel: 'sms', prefix: '234', carrier: 'mtn' }))
  await button('Create').click()
  await row('home').getByRole('button', { name: 'Edit' }).click()
  await json().fill(JSON.stringify({ name: 'home', channel: 'sms', prefix: '234', carrier: 'mtn', rate_per_s: 7 }))
  await button('Save').click()
  await page
    .getByRole('table', { name: 'Routes' })
    .getByRole('row', { name: /^home .*7 per second/ })
    .waitFor()

  await row('home').getByRole('button', { name: 'Edit' }).click()
  const chosen = { carriers: ['mtn', 'of-file'], choose: 'evidence', evidence: { follow_percent: 10 } }
  await json().fill(JSON.stringify({ name: 'home', channel: 'sms', prefix: '234', ...chosen }))
  await button('Save').click()
  await page
    .getByRole('table', { name: 'Routes' })
    .getByRole('row', { name: /^home .*mtn, of-file.*chosen by evidence for 10% of the messages/ })
    .waitFor()

  await row('mtn').getByRole('button', { name: 'Edit' }).click()
  expect(await json().inputValue()).toContain('<secret password>')
  await button('Close').last().click()

  await until('the binds', () => (smsc?.binds.length ?? 0) > 1)
  await row('mtn').getByRole('button', { name: 'Test' }).click()
  await dialog().getByLabel('Recipient').fill('08031234567')
  await dialog().getByLabel('Sender').fill('Gangan')
  await button('Send').click()
  await dialog().getByText('accepted by the carrier').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await button('Close').last().click()

  await row('mtn').getByRole('button', { name: 'Delete' }).click()
  await button('Delete').click()
  await dialog().getByText('mtn is a carrier of home: change that first.').waitFor()
  await button('Keep it').click()
  await row('home').getByRole('button', { name: 'Delete' }).click()
  await button('Delete').click()
  await row('home').waitFor({ state: 'detached' })
  await row('mtn').getByRole('button', { name: 'Delete' }).click()
  await button('Delete').click()
  await row('mtn').waitFor({ state: 'detached' })
})
