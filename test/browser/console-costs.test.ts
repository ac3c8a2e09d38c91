import { describe, expect } from 'vitest'
import type { ImportResult } from '../../src/prices/schema.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { person } from '../support/person.ts'
import { until } from '../support/until.ts'
import { findCutTables } from '../support/watch-page.ts'

const at = desk(() =>
  Promise.resolve({
    credit: 1_000,
    settings: {
      carriers: [{ kind: 'simulator', name: 'mtn', report_delay_ms: 20 }],
      routes: [{ name: 'nigeria', channel: 'sms', prefix: '234', carrier: 'mtn' }],
      prices: [{ channel: 'sms', prefix: '', price: 4 }],
    },
  }),
)
const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const RECIPIENT = '2348031234567'

/** Light, dark and on a phone, where nothing may be cut off. */
async function looksRight(): Promise<void> {
  const { page } = at
  expect(await seriousFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1024, height: 768 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await findCutTables(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function importSheet(name: string, sheet: string): Promise<void> {
  await at.page.getByRole('button', { name: 'Import a rate sheet' }).click()
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(sheet) }
  await button('Choose a file').waitFor()
  await dialog().getByLabel('File', { exact: true }).setInputFiles(file)
  await button('Choose another file').waitFor()
  await dialog().getByRole('status').getByText(name).waitFor()
  await button('Preview').click()
  await dialog().getByText('Unchanged').waitFor()
}

describe('an operator', () => {
  test('imports what a carrier charges, assigns the list, and lets a price list refuse what is below cost', async () => {
    const { sit, page, service } = at
    await sit(null, 'costs')
    await page.getByText('No cost lists yet.').waitFor()

    await page.getByRole('button', { name: 'Create a cost list' }).click()
    await dialog().getByLabel('Name').fill('mtn-direct')
    await button('Create').click()
    await page.getByText('Costs are not known until then.').waitFor()
    await page.getByRole('button', { name: 'Set a cost' }).click()
    await dialog().getByLabel('Country').fill('Ghana')
    await dialog().getByLabel('Cost per page').fill('2.1')
    await button('Save').click()
    const rules = page.getByRole('table', { name: 'Rules' })
    await rules.getByRole('row', { name: /GH.*2\.10/ }).waitFor()
    await importSheet('mtn.csv', 'Network;MCCMNC;Rate\nMTN;621-30;3,25\nGlo;62150;3,5')
    expect(await dialog().getByText('Below cost').count()).toBe(0)
    await button('Import').click()
    await rules.getByRole('row', { name: /MTN.*3\.25/ }).waitFor()
    await rules.getByRole('row', { name: /MTN/ }).getByRole('button', { name: 'History' }).click()
    await dialog().getByRole('columnheader', { name: 'Cost' }).waitFor()
    await button('Close').last().click()
    await page.getByText('Rate sheet: mtn.csv').waitFor()
    expect(await page.getByRole('heading', { name: 'Prices below cost' }).count()).toBe(0)
    await looksRight()

    await page.getByRole('link', { name: 'All cost lists' }).click()
    const carrier = page.getByRole('table', { name: 'Costs of carriers' }).getByRole('row', { name: /mtn/ })
    await carrier.getByRole('button', { name: 'Assign' }).click()
    await choose(dialog().getByLabel('Cost list'), 'mtn-direct')
    await choose(dialog().getByLabel('The carrier charges for'), 'what is delivered')
    expect(await seriousFaults(page)).toEqual([])
    await button('Save').click()
    await carrier.getByText('what is delivered').waitFor()
    await page
      .getByRole('table', { name: 'Cost lists' })
      .getByRole('row', { name: /mtn-direct.*mtn.*3/ })
      .waitFor()
    await looksRight()
    await page.getByRole('button', { name: 'Delete' }).click()
    await button('Delete').click()
    await dialog().getByText('is assigned to mtn').waitFor()
    await page.keyboard.press('Escape')

    const operator = await person(service, null)
    await operator.call('POST', '/console/api/price-lists', { name: 'budget' })
    await at.open('prices/budget')
    await page.getByText('Messages at prices below cost are sent.').waitFor()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await choose(dialog().getByLabel('Prices below cost'), 'Refuse')
    expect(await seriousFaults(page)).toEqual([])
    await button('Save').click()
    await page.getByText('are refused, as if the list had no price').first().waitFor()
    await until('the costs to be in effect', async () => {
      const preview = '/console/api/price-lists/budget/imports?dry_run=true'
      return (
        (await operator.call<ImportResult>('POST', preview, { csv: 'prefix,price\n234803,1' })).body.below_cost === 1
      )
    })
    await importSheet('budget.csv', 'Network,MCCMNC,Price\nMTN,62130,3\nGlo,62150,4')
    await dialog()
      .getByRole('table', { name: 'Prices below cost' })
      .getByRole('row', { name: /MTN.*3\.00.*3\.25.*mtn/ })
      .waitFor()
    expect(await dialog().getByRole('table', { name: 'Prices below cost' }).getByRole('row').count()).toBe(2)
    expect(await seriousFaults(page)).toEqual([])
    await button('Import').click()
    await rules.getByRole('row', { name: /MTN.*3\.00/ }).waitFor()
    await looksRight()

    const { id, call } = await service.organisation({ credit: 100 })
    await operator.call('POST', `/console/api/organisations/${id}/price-list`, { price_list: 'budget' })
    const estimate = async (recipient: string) => {
      const { status } = await call('POST', '/sms/estimate', { recipients: recipient, content: 'Hello' })
      return status
    }
    await until('prices below cost are refused', async () => (await estimate(RECIPIENT)) === 400)
    expect(await estimate('2348051234567')).toBe(200)
  })
})
