import { afterAll, expect } from 'vitest'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { CLIENT, startOidc, type OidcServer } from '../support/oidc-server.ts'

const company: OidcServer = await startOidc({ service: () => at.service.url, pages: true })
const at = desk(
  {
    settings: {
      sign_in: {
        password: false,
        providers: [
          {
            name: 'company',
            label: 'Company account',
            issuer: company.issuer,
            ...CLIENT,
            scopes: ['openid', 'email', 'profile', 'groups'],
            ask_code: true,
            roles: [{ claim: 'groups', value: 'readers', organisation: 'first', role: 'viewer' }],
          },
        ],
      },
    },
  },
  { viewport: { width: 1280, height: 800 } },
)
afterAll(() => company.close())

test('a button leads to the provider, and back into the console or to the reason why not', async () => {
  const { page, service } = at
  const email = 'ada@example.com'
  company.accounts.set('ada', { email, email_verified: true, name: 'Ada', groups: [] })
  const throughProvider = async () => {
    await page.getByRole('link', { name: 'Company account' }).click()
    await page.locator('input[name=login]').fill('ada')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]', { hasText: 'Continue' }).click()
  }
  await page.goto(`${service.url}/console/`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)
  await throughProvider()
  await page.getByRole('alert').getByText('no rule for Company account admits you').waitFor()
  expect(await seriousFaults(page)).toEqual([])

  company.accounts.set('ada', { email, email_verified: true, name: 'Ada', groups: ['readers'] })
  await page.context().clearCookies()
  await page.reload()
  await throughProvider()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(`${service.url}/console/#/users`)
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByText('company')
    .waitFor()

  // A user without the code, or with another account, can go back.
  await service.db`update users set totp_since = now(), totp_secret = '\\x00' where email_key = ${email}`
  await page.context().clearCookies()
  await page.goto(`${service.url}/console/`)
  await throughProvider()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Log in another way' }).click()
  await page.getByRole('link', { name: 'Company account' }).waitFor()
})
