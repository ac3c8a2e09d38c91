import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { ImportResult } from '../../src/prices/schema.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { desk } from '../support/desk.ts'
import { person } from '../support/person.ts'
import { until } from '../support/until.ts'
import { findCutTables } from '../support/watch-page.ts'

const at = desk()
const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const MTN = '0803 123 4567'
const GLO = '0805 123 4567'

/** As carriers write them: decimal commas, spaces in prefixes, ranges of network codes, names with separators. */
const RATE_SHEET = [
  'Country;Network;MCC/MNC;Dial code;Valid from;New rate',
  'Nigeria;MTN;621-30;;;"2,75"',
  '"Nigeria";Glo;;234 805;;1,5',
  'Nigeria;;621-20/60;;;2,60',
  'Nigeria;"Starcomms; Kano";621-21;;;2,80',
  '"Ghana";;620 01..02;;01/12/2026;"3,1"',
].join('\r\n')

async function createList(kind: 'price' | 'cost', name: string): Promise<void> {
  await at.open(`${kind}s`)
  await at.page.getByRole('button', { name: `Create a ${kind} list` }).click()
  await dialog().getByLabel('Name').fill(name)
  await button('Create').click()
  await at.page.getByText('This list has no rules.').waitFor()
}

async function createCustomer(name: string, list: string): Promise<void> {
  const { page } = at
  await at.open('organisations')
  await page.getByRole('button', { name: 'Create an organisation' }).click()
  await dialog().getByLabel('Name').fill(name)
  await dialog().getByLabel('Sender').fill('Shop')
  await dialog()
    .getByLabel(/^Opening balance/)
    .fill('500')
  await button('Create').click()
  await page.getByText(`Who can log in to ${name}.`).waitFor()
  await at.open('organisations')
  const row = page.getByRole('row', { name: new RegExp(`^${name}`) })
  await row.getByRole('button', { name: 'Prices' }).click()
  await choose(dialog().getByLabel('Price list'), list)
  await button('Save').click()
  await row.getByText(list, { exact: true }).waitFor()
}

/** As the customer, with the page that its users have. */
async function send(customer: string, recipients: string, charge: string): Promise<void> {
  const { page } = at
  await at.open('organisations')
  await page
    .getByRole('row', { name: new RegExp(`^${customer}`) })
    .getByRole('button', { name: 'Open' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await at.open('send')
  await page.getByLabel('Recipients').fill(recipients)
  await page.getByLabel('Text', { exact: true }).fill('Your order has left our warehouse.')
  await page.getByText(charge, { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
}

test('an operator goes from an empty installation to two customers with different prices, a rate sheet and a margin', async () => {
  const { page, service, sit, calm } = at
  await sit(null, 'prices')

  // Two price lists, and a customer with each.
  for (const [list, price] of [
    ['retail', '4'],
    ['wholesale', '3'],
  ] as const) {
    await createList('price', list)
    await page.getByRole('button', { name: 'Set a price' }).click()
    await dialog().getByLabel('Country').fill('Nigeria')
    await dialog().getByLabel('Price per page').fill(price)
    await button('Save').click()
    await page.getByRole('row', { name: /SMS · NG/ }).waitFor()
  }
  await createCustomer('Kano Traders', 'retail')
  await createCustomer('Lagos Bank', 'wholesale')

  // The rate sheet of the carrier.
  await createList('cost', 'supplier')
  await page.getByRole('button', { name: 'Import a rate sheet' }).click()
  await dialog()
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'rates-november.csv', mimeType: 'text/csv', buffer: Buffer.from(RATE_SHEET) })
  await choose(dialog().getByLabel('Dates such as 01/12/2026'), 'day/month/year')
  await button('Preview').click()
  await dialog().getByRole('table', { name: 'Unknown networks' }).getByText('621-21').waitFor()
  await calm()
  await button('Import').click()
  const rules = page.getByRole('table', { name: 'Rules' })
  for (const row of [
    /SMS · NG · MTN .*2\.75/,
    /SMS · NG · Glo · \+234805 .*1\.50/,
    /SMS · NG · Airtel .*2\.60/,
    /SMS · NG · 9mobile .*2\.60/,
    /SMS · NG · Starcomms; Kano .*2\.80/,
    /SMS · GH · MTN .*3\.10/,
    /SMS · GH · Telecel .*3\.10/,
  ]) {
    await rules.getByRole('row', { name: row }).waitFor()
  }
  await at.open('costs')
  const carrier = page.getByRole('table', { name: 'Costs of carriers' }).getByRole('row', { name: /^simulator/ })
  await carrier.getByRole('button', { name: 'Assign' }).click()
  await choose(dialog().getByLabel('Cost list'), 'supplier')
  await button('Save').click()
  await carrier.getByText('supplier').waitFor()
  const operator = await person(service, null)
  await until('the costs to be in effect', async () => {
    const csv = 'prefix,price\n234803,0.01'
    const preview = '/console/api/price-lists/retail/imports?dry_run=true'
    return (await operator.call<ImportResult>('POST', preview, { csv })).body.below_cost === 1
  })

  // Real messages of both, each at its own price.
  await send('Kano Traders', `${MTN}, ${GLO}`, '₦8.00')
  await send('Lagos Bank', MTN, '₦3.00')

  // What is left of them.
  await at.open('margins')
  const figure = (name: string) => page.locator('.figure', { has: page.locator('dt', { hasText: name }) })
  await until('the messages to be counted', async () => {
    await page.reload()
    await page.waitForSelector('main .loading', { state: 'detached' })
    return (await figure('Revenue').getByText('₦11.00').count()) > 0
  })
  await figure('Cost').getByText('₦7.00').waitFor()
  await figure('Margin').getByText('₦4.00').waitFor()
  await figure('Margin').getByText('36.4% of the revenue').waitFor()
  const chart = page.getByRole('slider')
  await chart.focus()
  await page.keyboard.press('End')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: ₦4\.00$/)
  const customers = page.getByRole('table', { name: 'By organisation' })
  await customers.getByRole('row', { name: /^Kano Traders ₦3\.75 ₦8\.00 ₦4\.25/ }).waitFor()
  await customers.getByRole('row', { name: /^Lagos Bank ₦0\.25 ₦3\.00 ₦2\.75/ }).waitFor()
  await calm()

  // One customer, by carrier, country and network.
  await customers.getByRole('button', { name: 'Kano Traders' }).click()
  await page.getByRole('table', { name: 'By carrier' }).getByRole('button', { name: 'simulator' }).click()
  await page.getByRole('table', { name: 'By country' }).getByRole('button', { name: 'Nigeria' }).click()
  const networks = page.getByRole('table', { name: 'By operator' })
  await networks.getByRole('row', { name: /^Glo, Nigeria ₦2\.50 ₦4\.00 ₦1\.50/ }).waitFor()
  await networks.getByRole('button', { name: /Margin$/ }).click()
  await networks.getByRole('button', { name: /Margin$/ }).click()
  await expect
    .poll(() => networks.locator('tbody tr td:first-child').allInnerTexts())
    .toEqual(['MTN, Nigeria', 'Glo, Nigeria'])
  await page.getByRole('button', { name: 'Organisation: Kano Traders' }).waitFor()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(await readFile((await saved.path()) ?? '', 'utf8')).toContain('\r\nNG,Glo,1,1,4,1.5,2.5,0.625,0,0\r\n')
  await page.getByRole('button', { name: 'Organisation: Kano Traders' }).click()
  await networks.getByRole('row', { name: /^MTN, Nigeria ₦1\.50 ₦7\.00 ₦5\.50/ }).waitFor()

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1024, height: 768 })
  await calm()
  expect(await findCutTables(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await calm()
  expect(await page.getByText('is not part of the margin').count()).toBe(0)
  await service.db`update margins set without_cost = 1, revenue_without_cost = revenue, cost = 0 where operator = 'Glo'`
  await at.open('margins')
  await page.reload()
  await page.getByText('The cost of 1 delivery is not known: its revenue, ₦4.00, is not part of the margin.').waitFor()
  await figure('Margin').getByText('₦1.50').waitFor()
  await figure('Margin').getByText('21.4% of the revenue whose cost is known').waitFor()
  await calm()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
