import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { pause, resume } from '../../src/messaging/pauses/pause.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { CONSOLE_PAGES, openPage, seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { PASSWORD, person } from '../support/person.ts'
import { findTooWide } from '../support/watch-page.ts'

const french = desk({}, { locale: 'fr-FR' })

const spoken = (page: Page) => page.evaluate<string>('document.documentElement.lang')

async function logIn(page: Page, email: string, words: { password: string; button: string }): Promise<void> {
  await page.getByLabel(/^E-?mail$/).fill(email)
  await page.getByLabel(words.password, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: words.button }).click()
}
const IN_FRENCH = { password: 'Mot de passe', button: 'Se connecter' }

test('a French browser gets the sign-in page, and an error, in French', async () => {
  const { page } = french
  await french.open('messages')
  await page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
  expect(await spoken(page)).toBe('fr')
  await logIn(page, 'unknown@example.com', IN_FRENCH)
  await page.getByText('L’adresse ou le mot de passe est incorrect.').first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

test('the language can be chosen before login, and stays', async () => {
  const { page } = french
  await french.open('messages')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
  expect(await spoken(page)).toBe('en')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
  await page.getByRole('button', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
})

test('every page is French, and fits a phone', async () => {
  const { page, service } = french
  await service.call('POST', '/sms/send', { recipients: '2348031110001, 2348000000001', content: 'Hello' })
  await french.sit(null, CONSOLE_PAGES[0] ?? '')
  for (const path of CONSOLE_PAGES) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openPage(page, service, path)
    await page.waitForSelector('main .loading', { state: 'detached' })
    expect([path, await spoken(page)]).toEqual([path, 'fr'])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => [path, await findTooWide(page)], { timeout: 10_000 }).toEqual([path, []])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  const navigation = page.getByRole('navigation', { name: 'Pages' })
  expect(await navigation.getByRole('link', { name: 'Vue d’ensemble' }).count()).toBe(1)
  await french.calm()
}, 300_000)

test('the language chosen in the account applies in another browser', async () => {
  const { page, service } = french
  const { email } = await person(service, null)
  await french.open('account')
  await logIn(page, email, IN_FRENCH)
  await page.getByRole('heading', { level: 1, name: 'Votre compte' }).waitFor()
  await choose(page.getByLabel('Langue de la console'), 'English')
  await page.getByRole('button', { name: 'Changer la langue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  expect(await spoken(page)).toBe('en')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()

  const other = await french.context.browser()?.newContext({ locale: 'fr-FR' })
  const elsewhere = await other?.newPage()
  if (!other || !elsewhere) throw new Error('there is no other profile')
  await openPage(elsewhere, service, 'account')
  await logIn(elsewhere, email, IN_FRENCH)
  await elsewhere.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  expect(await spoken(elsewhere)).toBe('en')
  await choose(elsewhere.getByLabel('Language of the console'), 'Same as the browser')
  await elsewhere.getByRole('button', { name: 'Change the language' }).click()
  await elsewhere.getByRole('heading', { level: 1, name: 'Votre compte' }).waitFor()
  await other.close()

  // Here the account was set to English. It has no setting any more.
  await logIn(page, email, { password: 'Password', button: 'Log in' })
  await page.locator('html[lang="fr"]').waitFor({ state: 'attached' })
})

test('a language that cannot be loaded leaves the page in English', async () => {
  const { page } = french
  await page.route(/\/assets\/fr-[^/]*\.js$/, (route) => route.abort())
  await french.open('messages')
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
  expect(await spoken(page)).toBe('en')
})

test('the checks of the installation, and who did something, are French, with their numbers and units', async () => {
  const { page, service } = french
  await pause(
    { db: service.db },
    COMMAND_LINE,
    { kind: 'carrier', name: 'simulator' },
    { mode: 'paused', reason: 'essai' },
  )
  await resume({ db: service.db }, COMMAND_LINE, { kind: 'carrier', name: 'simulator' })
  await french.sit(null, 'status')
  const checks = page.getByRole('table', { name: 'Contrôles' })
  await checks.getByText(/répond.*la base de données fait/).waitFor()
  const said = (await checks.getByRole('row').allTextContents()).join('\n')
  expect(said).toMatch(/\d(,\d)?\s(ko|Mo|Go)/)
  expect(said).not.toMatch(/\d\.\d (s|kB|MB|GB)\b|\d (kB|MB|GB|TB)\b/)
  await openPage(page, service, 'audit?of=installation')
  await page.getByRole('row').filter({ hasText: 'ligne de commande' }).first().waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  const cut = `[...document.querySelectorAll('.filters .select')].filter((one) => one.scrollWidth > one.clientWidth).length`
  expect(await page.evaluate(cut)).toBe(0)
  await french.calm()
})

test('the explanation of a message is French, with its times, numbers and reasons', async () => {
  const { page, service } = french
  const body = { recipients: '2348000000001', content: 'Hello' }
  const { body: sent } = await service.call<{ id: string }>('POST', '/sms/send', body)
  await french.sit(service.id, `messages/${sent.id}`)
  await page.getByRole('heading', { level: 2, name: 'Explication' }).waitFor()
  const sentences = page.locator('.explanation li')
  await expect
    .poll(() => sentences.allTextContents(), { timeout: 15_000 })
    .toContain('Le coût reste dû\u00a0: ce qu’un fournisseur prend est facturé, qu’il arrive ou non.')
  const said = await sentences.allTextContents()
  expect(said).toContain('Tous les caractères du texte sont dans l’alphabet GSM.')
  expect(said.join(' ')).toMatch(/Fournisseur 1 sur 1\s: non remis le .*\(004\)\./)
  expect(said.filter((one) => /\b(the|is|of|at)\b/.test(one))).toEqual([])
})

describe('carriers', () => {
  const phones = desk(
    {
      settings: {
        carriers: [{ kind: 'phone', name: 'drawer' }],
        routes: [{ name: 'all', channel: 'sms', carrier: 'drawer' }],
      },
    },
    { locale: 'fr-FR' },
  )

  test('have their state in French', async () => {
    await phones.sit(null, 'carriers')
    const carriers = phones.page.getByRole('table', { name: 'Fournisseurs' })
    await carriers.getByRole('row', { name: /drawer.*aucun téléphone connecté pour l’instant/ }).waitFor()
    await phones.calm()
  })
})
