import { describe, expect } from 'vitest'
import { browserTest as test } from '../support/browser-test.ts'
import { choose } from '../support/browser-fields.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { until } from '../support/until.ts'

const at = desk(() => Promise.resolve({}), { viewport: { width: 1280, height: 800 } })
const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })

const SHEET = ['Network;Country;MCCMNC;Price', 'MTN;Nigeria;621-30;2,75', 'Glo;Nigeria;62150;3,5'].join('\n')

describe('an operator', () => {
  test('makes a price list, imports a rate sheet after a preview, undoes it, and assigns the list', async () => {
    const { sit, page, service } = at
    await sit(null, 'prices')
    const { id, call } = await service.organisation()
    await service.db`update organisations set name = 'Wholesale shop' where id = ${id}`
    await page.getByRole('row', { name: /^file default configuration file/ }).waitFor()
    expect(await seriousFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Create a price list' }).click()
    await dialog().getByLabel('Name').fill('Not a name')
    await button('Create').click()
    await dialog()
      .getByText(/lower-case letters, digits and dashes, such as wholesale-2027|does not match|invalid/i)
      .first()
      .waitFor()
    await dialog().getByLabel('Name').fill('wholesale')
    await button('Create').click()
    await page.getByText('This list has no rules.').waitFor()

    await page.getByRole('button', { name: 'Set a price' }).click()
    await dialog().getByLabel('Country').fill('Nigeria')
    await dialog().getByLabel('Price per page').fill('4.5')
    await button('Save').click()
    const rules = page.getByRole('table', { name: 'Rules' })
    await rules
      .getByRole('row', { name: /SMS · NG/ })
      .getByText('4.50')
      .waitFor()
    expect(await seriousFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Import a rate sheet' }).click()
    expect(await button('Preview').isDisabled()).toBe(true)
    await dialog()
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(`${SHEET}\nX;Nigeria;621-99x;1`) })
    await button('Preview').click()
    await dialog().getByText('is not a network code', { exact: false }).waitFor()
    expect(await button('Import').isDisabled()).toBe(true)
    expect(await seriousFaults(page)).toEqual([])
    await dialog().getByLabel('Import the other lines, without the invalid ones').check()
    await button('Import').click()
    await rules
      .getByRole('row', { name: /SMS · NG · MTN/ })
      .getByText('2.75')
      .waitFor()

    await page.getByRole('searchbox').fill('glo')
    await rules.getByRole('row', { name: /MTN/ }).waitFor({ state: 'detached' })
    await rules.getByRole('row', { name: /Glo/ }).getByRole('button', { name: 'History' }).click()
    await dialog().getByText('3.50').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await button('Close').last().click()
    await page.getByRole('searchbox').fill('')

    await page.getByRole('button', { name: 'Undo the last import' }).click()
    await button('Undo the import').click()
    await rules.getByRole('row', { name: /MTN/ }).waitFor({ state: 'detached' })
    await page.getByText('Rate sheet: rates.csv (undone)').waitFor()

    await sit(null, 'organisations')
    await page.reload() // The page before belongs to another session.
    const row = page.getByRole('row', { name: /^Wholesale shop/ })
    await row.getByRole('button', { name: 'Prices' }).click()
    await choose(dialog().getByLabel('Price list'), 'wholesale')
    await button('Save').click()
    await row.getByText('wholesale', { exact: true }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await until('the price of the list', async () => {
      const { body } = await call<{ meta: { estimate: { charge: number } } }>('POST', '/sms/estimate', {
        recipients: '2348031234567',
        content: 'Hello',
      })
      return body.meta.estimate.charge === 4.5
    })
  })

  test('changes the fees of a price list', async () => {
    const { sit, page } = at
    await sit(null, 'prices')
    await page.getByRole('button', { name: 'Create a price list' }).click()
    await dialog().getByLabel('Name').fill('with-fees')
    await button('Create').click()
    await page.getByRole('button', { name: 'Change the fees' }).click()
    await dialog().getByLabel('Per verified one-time password').fill('3')
    await dialog().getByLabel('Commission on airtime').fill('200')
    expect(await seriousFaults(page)).toEqual([])
    await button('Save').click()
    await dialog().getByText('100', { exact: false }).first().waitFor()
    await dialog().getByLabel('Commission on airtime').fill('2.5')
    await button('Save').click()
    await page.getByText('2.5%').waitFor()
    await page.getByText('3.00').waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })
})
