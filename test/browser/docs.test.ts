import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { openBrowser, type Browser } from '../support/browser.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { openService, type TestService } from '../support/service.ts'
import { findBarriers, findOverflow, watchPage, type Watch } from '../support/watch-page.ts'

let service: TestService
let browser: Browser
let page: Page
let watch: Watch

beforeAll(async () => {
  service = await openService({ workers: false })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})
beforeEach(async () => {
  page = await browser.context.newPage()
  watch = watchPage(page)
  await page.setViewportSize({ width: 1440, height: 900 })
})
afterEach(() => page.close())

const unfold = () => page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`)

describe('GET /docs in a browser', () => {
  test('makes no other requests, and logs no errors', async () => {
    const answer = await page.goto(`${service.url}/docs`, { waitUntil: 'networkidle' })
    expect(answer?.status()).toBe(200)
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
    expect(watch).toEqual({ requests: [`${service.url}/docs`], complaints: [] })
  })

  test('shows its headings', async () => {
    await page.goto(`${service.url}/docs`)
    const heading = (level: number, name: string) => page.getByRole('heading', { level, name, exact: level === 3 })
    expect(await heading(1, 'Gangan').isVisible()).toBe(true)
    expect(await heading(2, 'Messages').isVisible()).toBe(true)
    expect(await heading(3, 'Send a message').isVisible()).toBe(true)
  })

  test('links from the navigation to an operation, visible below the header', async () => {
    await page.goto(`${service.url}/docs`)
    await page.getByRole('navigation').getByRole('link', { name: 'POST /sms/send' }).click()
    await page.waitForURL(`${service.url}/docs#post-sms-send`)
    const bar = await page.getByRole('banner').boundingBox()
    const top = async () => (await page.getByRole('heading', { name: 'Send a message', exact: true }).boundingBox())?.y
    await expect.poll(top).toBeLessThan(200)
    expect(await top()).toBeGreaterThan(bar?.height ?? Infinity)
  })

  test('selects a whole command with one click', async () => {
    await page.goto(`${service.url}/docs#post-sms-send`)
    await page.locator('#post-sms-send .curl').click()
    const selected = await page.evaluate<string>('String(getSelection())')
    expect(selected.trim()).toMatch(/^curl http:\/\/127\.0\.0\.1:8080\/sms\/send .*\}'$/s)
  })

  test('can be skipped to the content by keyboard', async () => {
    await page.goto(`${service.url}/docs`)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect.poll(async () => (await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN')
  })

  test.each(['light', 'dark'] as const)('has no accessibility barriers in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${service.url}/docs`)
    await unfold()
    const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const red = Number(/\d+/.exec(paper)?.[0])
    expect(red > 200 ? 'light' : 'dark').toBe(colorScheme)
    expect(await findBarriers(page)).toEqual([])
  })

  test('fits windows of any width', async () => {
    await page.goto(`${service.url}/docs`)
    await unfold()
    for (const width of [320, 360, 768, 1024, 1320]) {
      await page.setViewportSize({ width, height: 780 })
      expect([width, await findOverflow(page)]).toEqual([width, []])
    }
    await page.setViewportSize({ width: 320, height: 780 })
    expect(await findBarriers(page)).toEqual([])
  })

  test('has a collapsible table of contents on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto(`${service.url}/docs`)
    const link = page.getByRole('navigation').getByRole('link', { name: 'GET /balance', exact: true })
    expect(await link.count()).toBe(0)
    await page.locator('summary', { hasText: 'Contents' }).click()
    await link.click()
    await page.waitForURL(`${service.url}/docs#get-balance`)
  })
})

describe('the check for barriers', () => {
  test('finds planted barriers', async () => {
    await page.setContent(`<h1>One</h1><h3 id="a">Three</h3><p id="a" style="color: #999">pale</p>
      <nav><a href="#nowhere"></a></nav><input><img src="data:,"><table><tr><th>x</th></tr></table>`)
    const barriers = (await findBarriers(page)).join('\n')
    for (const part of [
      'no language',
      'no title',
      '0 main',
      'navigation has no label',
      'follows a heading of level 1',
    ]) {
      expect(barriers).toContain(part)
    }
    for (const part of [
      '<a href="#nowhere"></a> has no',
      '<input> has no',
      'no alternative',
      '#nowhere leads',
      'twice',
    ]) {
      expect(barriers).toContain(part)
    }
    expect(barriers).toContain('no scope')
    expect(barriers).toContain('"pale" has a contrast of 2.85 : 1')
  })

  test('finds elements that are too wide', async () => {
    await page.setContent('<div style="width: 3000px">wide</div>')
    expect(await findOverflow(page)).toEqual(['<div style="width: 3000px">wide</div>', 'the whole page'])
  })
})
