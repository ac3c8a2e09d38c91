import { afterAll, describe, expect } from 'vitest'
import type { PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { desk } from '../support/desk.ts'
import { tokenOf } from '../support/phone-api.ts'
import { phoneCarrier, PHONE_ROUTE, startPhone, type Aired } from '../support/phone.ts'
import { until } from '../support/until.ts'

const phones: PhoneEmulator[] = []
const aired: Aired[] = []
const at = desk(
  { settings: { carriers: [phoneCarrier()], routes: PHONE_ROUTE } },
  { viewport: { width: 1280, height: 800 } },
)
afterAll(() => {
  for (const phone of phones) phone.kill()
})

const dialog = () => at.page.getByRole('dialog')

describe('an operator', () => {
  test('shows how to set up a phone, sees it join, sends with it, and removes it', async () => {
    const { page, service, calm } = at
    await at.sit(null, 'carriers')
    await page.getByText('No phone has joined yet.').waitFor()
    await page.getByRole('button', { name: 'Add a phone' }).click()
    await dialog().getByRole('img', { name: 'The server address as a QR code' }).waitFor()
    await dialog().getByRole('img', { name: 'The private token as a QR code' }).waitFor()
    const address = await dialog().getByRole('figure', { name: 'Server address' }).locator('code').innerText()
    const token = () => dialog().getByRole('figure', { name: 'Private token' }).locator('code').innerText()
    expect([address, await token()]).toEqual([`${service.url}/phones/v1`, tokenOf('phones')])
    await calm()
    await dialog().getByRole('button', { name: 'New token' }).click()
    await until('another token', async () => (await token()) === tokenOf('phones', 2))
    await dialog().getByRole('button', { name: 'Close' }).last().click()

    const phone = startPhone(service, 'Drawer', aired, { token: tokenOf('phones', 2), battery: () => 57 })
    phones.push(phone)
    const row = page.getByRole('table', { name: 'Phones of phones' }).getByRole('row', { name: /Drawer/ })
    await row.getByText('online').waitFor()
    await row.getByText('57%, charging').waitFor()
    const body = { recipients: '08031234567', content: 'Hello' }
    expect((await service.call('POST', '/sms/send', body)).status).toBe(200)
    await row.getByText('1 · 1 · 1').waitFor()
    expect(aired).toHaveLength(1)
    await calm()

    phone.kill()
    await row.getByRole('button', { name: 'Remove' }).click()
    await dialog().getByRole('button', { name: 'Remove the phone' }).click()
    await page.getByText('No phone has joined yet.').waitFor()
    await calm()
    const actions = await service.db<
      { action: string }[]
    >`select action from audit_entries where action like 'phone.%' order by id`
    expect(actions.map(({ action }) => action)).toEqual(['phone.token', 'phone.forget'])
  })
})
