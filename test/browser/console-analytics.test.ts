import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { addCounted, zeroCounts, type Counted } from '../../src/observe/analytics/figures.ts'
import { addAnalytics, type HourRow } from '../../src/observe/analytics/store.ts'
import { openBrowser, type Browser } from '../support/browser.ts'
import { choose, pick } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage, seriousFaults } from '../support/console.ts'
import { openService, type TestService } from '../support/service.ts'
import { findOverflow } from '../support/watch-page.ts'

let service: TestService
let browser: Browser
let page: Page

beforeAll(async () => {
  service = await openService({ workers: false })
  browser = await openBrowser({ viewport: { width: 1440, height: 900 } })
  page = await browser.context.newPage()
  await enter(browser.context, service, service.id, 'viewer')
  const rows = Array.from({ length: 28 }, (_, n) => n + 1).flatMap((day) => [
    ...counted(`2026-02-${String(day).padStart(2, '0')}`, {
      NG: {
        accepted: 10 * day,
        delivered: 9 * day,
        failed: day,
        cost: 400_000 * day,
        otp_requested: 4,
        otp_verified: 3,
      },
      GH: { accepted: 5, delivered: 5, cost: 200_000 },
    }),
    ...counted(`2026-01-${String(day + 3).padStart(2, '0')}`, { NG: { accepted: 100, delivered: 80, failed: 20 } }),
  ])
  await addAnalytics(service.db, service.id, rows)
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

function counted(date: string, countries: Record<string, Partial<Counted>>): HourRow[] {
  const hour_ms = Date.parse(`${date}T10:00:00Z`)
  const rows = Object.entries(countries).map(([value, more]): HourRow => ({
    dimension: 'country',
    hour_ms,
    value,
    counted: { ...zeroCounts(), ...more },
  }))
  const all = zeroCounts()
  for (const row of rows) addCounted(all, row.counted)
  const error: HourRow = { dimension: 'error', hour_ms, value: '027', counted: { ...zeroCounts(), failed: 1 } }
  return [{ dimension: 'all', hour_ms, value: '', counted: all }, ...rows, error]
}

const figure = (name: string) => page.locator('.figure', { has: page.locator('dt', { hasText: name }) })
const firstColumn = () =>
  page.getByRole('table', { name: 'By country' }).locator('tbody tr td:first-child').allInnerTexts()

test('a period is selected, compared, read, sorted, filtered and exported', async () => {
  await openPage(page, service, 'overview')
  await page.getByRole('link', { name: 'Analytics', exact: true }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
  await page.getByText('No data for this period.').waitFor()

  await choose(page.getByLabel('Days'), 'Custom period')
  await pick(page, 'from', '01022026')
  await pick(page, 'until', '28022026')
  await figure('Accepted').getByText('4,200').waitFor()
  await choose(page.getByLabel('Compare'), 'and the days before')
  await figure('Accepted').getByText('2,800 before, +50%').waitFor()

  const chart = page.getByRole('slider')
  await chart.focus()
  await page.keyboard.press('Home')
  expect(await chart.getAttribute('aria-valuetext')).toBe('Sun, 1 Feb 2026, −85%: 15, before 100')
  await page.keyboard.press('ArrowRight')
  await page.locator('.analytics-legend').getByText('Mon, 2 Feb 2026, −75%').waitFor()
  const box = await chart.boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 10, (box?.y ?? 0) + 100)
  await page.locator('.analytics-legend').getByText('Sat, 28 Feb 2026, +185%').waitFor()
  await page.getByText('The chart as a table').click()
  await page.getByRole('table', { name: 'Over time' }).getByText('Sat, 28 Feb 2026').waitFor()

  expect(await firstColumn()).toEqual(['Nigeria', 'Ghana'])
  await page.getByRole('button', { name: 'Delivery rate', exact: true }).last().click()
  expect(await firstColumn()).toEqual(['Ghana', 'Nigeria'])
  expect(await seriousFaults(page)).toEqual([])

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const csv = await readFile((await file.path()) ?? '', 'utf8')
  expect(csv).toContain('\r\nNG,,4060,')

  await choose(page.getByLabel('Group'), 'by error')
  await page.getByText('Code 027: The phone was off or out of coverage: retry later.').waitFor()
  await page.getByRole('button', { name: 'absent subscriber' }).waitFor()
  expect(await findOverflow(page)).toEqual([])
  await choose(page.getByLabel('Group'), 'by country')

  await page.getByRole('button', { name: 'Ghana' }).click()
  await page.getByRole('heading', { name: 'Country: Ghana' }).waitFor()
  await figure('Accepted').getByText('140').waitFor()
  await page.getByRole('button', { name: 'One-time passwords' }).click()
  await figure('Conversion').getByText('75%').waitFor()
  expect(await firstColumn()).toEqual(['Nigeria'])

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
})
