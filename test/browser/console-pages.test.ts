import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { campaignOf } from '../support/campaign.ts'
import { openBrowser, type Browser } from '../support/browser.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { complaintsIn, CONSOLE_PAGES, enter, openPage, seriousFaults } from '../support/console.ts'
import { openService, type TestService } from '../support/service.ts'
import { findCutTables, findOverflow, findSameLinks, watchPage } from '../support/watch-page.ts'

const FIRST_VIEW_BYTES = 200_000
const FONT_BYTES = 40_000

let service: TestService
let browser: Browser
let page: Page

beforeAll(async () => {
  service = await openService()
  browser = await openBrowser({ viewport: { width: 1440, height: 900 } })
  await enter(browser.context, service, null)
  page = await browser.context.newPage()
  const recipients = '2348031110001, 2348000000001'
  await service.call('POST', '/sms/send', { recipients, content: LONG, external_ref: 'order-2026-11-19-0000017' })
  await service.call('POST', '/otp/request_token', { recipient: '2348031110002' })
  await service.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: '2348031110001' })
  // Something in every list, some of it long.
  await service.call('POST', '/sandbox/reply', { from: '2348031110001', to: 'Gangan', text: LONG })
  await service.call('POST', '/templates', { name: 'Order shipped, second reminder', content: LONG })
  await service.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/gangan/events/of/the/warehouse/in/kano' })
  await service.call('POST', '/optouts', { recipients: '2348031110009' })
  await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Ada Obi', Mobile: '08031110001' } })
  await campaignOf(service, { content: LONG, name: 'Greetings to everyone in the north' }, [{ to: '2348031110004' }])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const LONG = 'Hello Ada, your order of two bags of rice and one of beans has left our warehouse in Kano this morning.'

const settled = () => page.waitForSelector('main .loading', { state: 'detached' })

test('there are pages to check', () => {
  expect(CONSOLE_PAGES.length).toBeGreaterThanOrEqual(7)
})

/** Buttons have a transition of their colours, from the next frame on. */
const COLOURS_SETTLE = `new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))
  .then(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))`

/** In dark mode only colours differ. */
test.each(CONSOLE_PAGES)(
  '%s has no serious accessibility violation and no console error, also folded, in dark mode and on a phone',
  async (path) => {
    const watch = watchPage(page)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await openPage(page, service, path)
    await settled()
    expect(await seriousFaults(page)).toEqual([])
    expect(await findSameLinks(page)).toEqual([])
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.evaluate(COLOURS_SETTLE)
    expect(await seriousFaults(page)).toEqual([])
    expect(await findCutTables(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1024)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(complaintsIn(watch)).toEqual([])
    expect(watch.requests.filter((url) => !url.startsWith(service.url))).toEqual([])
  },
)

describe.each(['light', 'dark'] as const)('opened in %s', (colorScheme) => {
  test.each([
    ['otp', 'Request a token'],
    ['airtime', 'Buy airtime'],
    ['phones', 'Add a phone'],
  ])('the dialog on %s has no serious accessibility violation', async (path, button) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await openPage(page, service, path)
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a message with its timeline has no serious accessibility violation', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await openPage(page, service, 'messages')
    await page
      .getByRole('row', { name: /and 1 more/ })
      .getByRole('link')
      .click()
    await page.locator('.timeline').waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })

  test('the sign-in page has no serious accessibility violation', async () => {
    const outside = await openBrowser({ viewport: { width: 390, height: 844 }, colorScheme })
    const login = await outside.context.newPage()
    await openPage(login, service, 'messages')
    await login.getByRole('button', { name: 'Log in' }).click()
    await login.getByRole('alert').waitFor()
    expect(await seriousFaults(login)).toEqual([])
    await outside.close()
  })
})

test('figures are shown in two columns on a phone, without truncation', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, service, 'overview')
  await page.locator('.figure').first().waitFor()
  const columns = `getComputedStyle(document.querySelector('.figures')).gridTemplateColumns.split(' ').length`
  expect(await page.evaluate(columns)).toBe(2)
})

test('the sidebar is folded at 1024 px, and its menu has names, organisations and the way out', async () => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await openPage(page, service, 'messages')
  const sidebar = page.locator('.sidebar')
  expect((await sidebar.boundingBox())?.width).toBeLessThan(80)
  const link = sidebar.getByRole('link', { name: 'Campaigns', exact: true })
  expect((await link.boundingBox())?.width).toBeLessThan(80)
  await sidebar.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('button', { name: 'Log out' }).waitFor()
  await menu.getByLabel('Organisation').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await menu.getByRole('link', { name: 'Campaigns', exact: true }).click()
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
})

test('on a phone a message of the list has two lines, and the bar leads to campaigns and conversations', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, service, 'messages')
  const row = page.getByRole('table', { name: 'Messages' }).getByRole('row').filter({ hasText: 'Hello Ada' }).first()
  await row.waitFor()
  const shown = `[...document.querySelectorAll('.two-lines tbody tr:first-child td')].filter((cell) => cell.checkVisibility())`
  expect(await page.evaluate(`${shown}.length`)).toBe(4)
  expect((await row.boundingBox())?.height).toBeLessThan(80)
  const bar = page.getByRole('navigation', { name: 'Main pages' })
  await bar.getByRole('link', { name: 'Campaigns' }).waitFor()
  await bar.getByRole('link', { name: /^Conversations\s*1\s+unread$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
})

test('the phone reaches every page through the menu', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, service, 'start')
  await page.getByRole('button', { name: 'More' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('navigation').waitFor()
  expect(await menu.getByRole('navigation').getByRole('link').count()).toBe(CONSOLE_PAGES.length)
  await menu.getByRole('link', { name: 'Airtime' }).click()
  await page.getByRole('heading', { level: 1, name: 'Airtime' }).waitFor()
  await menu.waitFor({ state: 'detached' })
  expect(await findOverflow(page)).toEqual([])
})

test('the keyboard skips the navigation, searches with a slash and closes with Esc', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openPage(page, service, 'messages')
  await page.reload() // The focus of the previous page does not count.
  await page.getByLabel('Search by number or reference').waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('skip')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  await page.keyboard.press('/')
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
  await openPage(page, service, 'otp')
  await page.getByRole('button', { name: 'Request a token' }).first().click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the chosen colour scheme is kept', async () => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await openPage(page, service, 'start')
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  await expect.poll(paper).toMatch(/^rgb\(2\d\d/) // The previous page may have been dark.
  const light = await paper()
  await page.getByRole('button', { name: /^Colours/ }).click()
  await page.getByRole('button', { name: /^Colours: light/ }).click()
  await page.getByRole('button', { name: /^Colours: dark/ }).waitFor()
  await expect.poll(paper).not.toBe(light)
  const dark = await paper()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(paper).toBe(dark)
  await page.getByRole('button', { name: /^Colours: dark/ }).click()
  await expect.poll(paper).toBe(light)
})

test.each(['en', 'fr'])('the first view is light (%s)', async (language) => {
  await openPage(page, service, 'start')
  await page.evaluate(`localStorage.setItem('gangan.spoken', '${language}')`)
  const loaded = new Set<string>()
  const note = (request: { url(): string }) => loaded.add(request.url())
  page.on('request', note)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled()
  await page.evaluate('document.fonts.ready.then(() => true)')
  page.off('request', note)
  expect(await page.evaluate('document.documentElement.lang')).toBe(language)
  await page.evaluate(`localStorage.removeItem('gangan.spoken')`)
  const paths = [...loaded].map((url) => new URL(url).pathname).filter((path) => /\.(js|css|woff2)$/.test(path))
  const bytes = paths.map((path) => gzipSync(readFileSync(`dist${path}`)).length)
  expect(paths.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(1)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_VIEW_BYTES)
  const fonts = paths.filter((path) => path.endsWith('.woff2'))
  expect(fonts).toHaveLength(1)
  expect(readFileSync(`dist${fonts[0]}`).length).toBeLessThan(FONT_BYTES)
  expect(await page.evaluate('document.fonts.check("600 14px Inter", "₦ẹọṣ")')).toBe(true)
})

test('no built file refers to another host', () => {
  const built = readdirSync('dist/console/assets').filter((name) => /\.(js|css)$/.test(name))
  const hosts = built.flatMap((name) => {
    const text = readFileSync(`dist/console/assets/${name}`, 'utf8')
    return [...text.matchAll(/(?:src|href|url|fetch|import)\(?["'(](https?:\/\/[^"')]+)/g)].map(([, url]) => url)
  })
  expect(built.length).toBeGreaterThan(5)
  expect(hosts).toEqual([])
})
