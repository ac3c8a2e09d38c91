import { beforeAll, describe, expect } from 'vitest'
import { addEvidence } from '../../src/evidence/store.ts'
import { makeEvidence, type EvidenceKey } from '../../src/observe/evidence.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { findCutTables } from '../support/watch-page.ts'

const at = desk({
  credit: 1_000,
  settings: {
    carriers: [{ kind: 'simulator', name: 'sim-direct', report_delay_ms: 20 }],
    routes: [{ name: 'all', channel: 'sms', carrier: 'sim-direct' }],
    prices: [{ channel: 'sms', prefix: '', price: 4 }],
  },
})

const HOUR = Math.floor(Date.now() / 3_600_000)
/** Not the hour before the first: so the last two hours contain one of these, also once a full hour has passed. */
const HOURS_AGO = [0, ...Array.from({ length: 19 }, (_, n) => n + 2)]
const CARRIERS = ['mtn-direct', 'cheap-aggregator', 'lagos-gateway-two']
const OPERATORS = [
  ['NG', 'MTN', 9],
  ['NG', 'Airtel', 8],
  ['NG', 'Glo', 7],
  ['NG', '9mobile', 6],
  ['GH', 'MTN', 5],
  ['GH', 'Telecel', 4],
  ['', '', 3],
] as const

/** Three carriers at seven operators, by the hour: the second one delivers and verifies less, and less every hour. */
async function fillIn(): Promise<void> {
  const evidence = makeEvidence()
  const count = (its_class: EvidenceKey['class'], hours_ago: number, scale: number) => {
    for (const [nth, carrier] of CARRIERS.entries()) {
      for (const [country, operator, size] of OPERATORS) {
        const key = { hour: HOUR - hours_ago, carrier, country, operator, channel: 'sms', class: its_class }
        const submitted = 10 * size * scale
        const lost = nth === 1 ? Math.round((submitted * (30 - hours_ago)) / 60) : size
        const judged = { judged: submitted, good: Math.round((submitted - lost) * 0.8) }
        evidence.note(key, {
          submitted,
          delivered: submitted - lost,
          no_report: lost,
          cost: submitted * (25_000 - 5_000 * nth),
          ...judged,
          ...(its_class === 'otp' && { claimed: submitted, proven: Math.round(submitted * (nth === 1 ? 0.5 : 0.8)) }),
          ...(nth === 0 && { advised: 1, saved: 5_000, gained: 1_000 }),
        })
        for (let n = 0; n < 10; n += 1) evidence.noteReport(key, nth === 1 ? 45 : 4)
      }
    }
  }
  for (const hours_ago of HOURS_AGO) {
    count('otp', hours_ago, 1)
    count('other', hours_ago, 2)
  }
  await addEvidence(at.service.db, evidence.drain())
}

const matrix = (figure: string) => at.page.getByRole('table', { name: `${figure} by carrier and operator` })
const rowOf = (figure: string, carrier: string) => matrix(figure).getByRole('row', { name: carrier })
const filter = (name: string) => at.page.getByRole('search').getByLabel(name)

async function looksRight(): Promise<void> {
  const { page } = at
  expect(await seriousFaults(page)).toEqual([])
  expect(await findCutTables(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1024, height: 768 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await findCutTables(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1024)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('an operator', () => {
  test('sees what to do while there is no evidence', async () => {
    await at.sit(null, 'evidence')
    await at.page.getByText('No evidence for this period.').waitFor()
    await at.page.getByText('check that the carriers are connected').waitFor()
    await choose(filter('Channel'), 'WhatsApp')
    await at.page.getByText('Choose a longer period, or fewer filters.').waitFor()
    await at.calm()
  })

  test('sees live messages of the service in the matrix', async () => {
    const recipients = ['2348031234567', '2348031234568']
    await at.service.call('POST', '/sms/send', { recipients, content: 'Hello' })
    await at.sit(null, 'evidence')
    await at.page.reload()
    await rowOf('Delivered share', 'sim-direct').getByText('2 messages').first().waitFor()
  })
})

describe('an operator with three carriers', () => {
  beforeAll(fillIn)

  test('compares them at each operator by any figure', async () => {
    const { sit, page } = at
    await sit(null, 'evidence')
    const heads = matrix('Delivered share').getByRole('columnheader')
    await heads.first().waitFor()
    expect(await heads.allTextContents()).toEqual([
      'Carrier and its reports',
      'All operators',
      'MTN, Nigeria',
      'Airtel, Nigeria',
      'Glo, Nigeria',
      '9mobile, Nigeria',
      'MTN, Ghana',
    ])
    await rowOf('Delivered share', 'mtn-direct').getByText('best').first().waitFor()
    await rowOf('Delivered share', 'cheap-aggregator')
      .getByText(/^−\d.* pp$/)
      .first()
      .waitFor()
    await rowOf('Delivered share', 'cheap-aggregator').getByText('doubtful').waitFor()
    await rowOf('Delivered share', 'mtn-direct').getByText('no doubt').waitFor()
    const honesty = page.getByRole('table', { name: 'Honesty of reports' })
    await honesty.getByRole('row', { name: /cheap-aggregator MTN, Nigeria doubtful/ }).waitFor()
    // 20 hours, two classes, seven operators.
    const advice = page.locator('.figures')
    await advice.getByText('280', { exact: true }).waitFor()
    await advice.getByText('₦140.00').waitFor()
    await advice.getByText('28', { exact: true }).waitFor()
    await page.getByText('2 operators with fewer messages have no columns').waitFor()
    expect(await matrix('Delivered share').locator('.sparkline').count()).toBeGreaterThanOrEqual(3 * 6)
    await rowOf('Delivered share', 'cheap-aggregator')
      .getByText(/^from \d.*% to \d.*%$/)
      .first()
      .waitFor({ state: 'attached' })
    await looksRight()

    for (const figure of ['Verified share', 'No report', 'Report time (median)', 'Cost per message']) {
      await choose(page.getByLabel('Figure shown'), figure)
      await rowOf(figure, 'mtn-direct').waitFor()
      expect(await findCutTables(page)).toEqual([])
      expect(await seriousFaults(page)).toEqual([])
    }
    await rowOf('Cost per message', 'lagos-gateway-two').getByText('₦1.50').first().waitFor()
    await rowOf('Cost per message', 'lagos-gateway-two').getByText('best').first().waitFor()
    await rowOf('Cost per message', 'mtn-direct').getByText('+₦1.00').first().waitFor()
    await looksRight()
  })

  test('narrows the figures by country, class and period, which the address keeps', async () => {
    const { sit, page, calm } = at
    await sit(null, 'evidence')
    const all = page.getByRole('table', { name: 'All figures' })
    await all
      .getByRole('row', { name: /mtn-direct.*MTN, Nigeria/ })
      .getByText('5,400')
      .waitFor()
    await choose(filter('Class'), 'One-time passwords')
    await all
      .getByRole('row', { name: /mtn-direct.*MTN, Nigeria/ })
      .getByText('1,800')
      .waitFor()
    await choose(filter('Country'), 'Ghana')
    await matrix('Delivered share').getByRole('columnheader', { name: 'Telecel, Ghana' }).waitFor()
    expect(await all.getByRole('row', { name: /Nigeria/ }).count()).toBe(0)
    await choose(filter('Period'), 'Last 2 hours')
    await all
      .getByRole('row', { name: /mtn-direct.*MTN, Ghana/ })
      .getByText('50', { exact: true })
      .first()
      .waitFor()
    expect(page.url()).toContain('evidence?class=otp&country=GH&hours=2')
    await page.reload()
    await all
      .getByRole('row', { name: /mtn-direct.*Telecel, Ghana/ })
      .getByText('40', { exact: true })
      .first()
      .waitFor()
    await all.getByRole('button', { name: 'Cost per message' }).press('Enter')
    await all
      .getByRole('columnheader', { name: 'Cost per message' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor()
    await looksRight()
    await calm()
  })
})
