import { chromium, type Page } from 'playwright-core'
import { COMMAND_LINE } from '../src/users/audit.ts'
import { inviteUser } from '../src/users/invite.ts'
import { findChromium, FLAGS } from '../test/support/browser.ts'
import { fillContacts } from './contacts-data.ts'
import { makeCustomer, prepareList, withService } from './contacts.ts'
import { until } from './until.ts'

type Figure = { name: string; figure: string }

const ROWS = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const WHEELS = 200
const WHEEL_PX = 1_500
const ENDS = 150

/**
 * The sheet of a million contacts in a browser: the longest time from one frame to the next while it is scrolled,
 * searched and selected. Without a graphics card, as in a test; the service and its database share the cores.
 */
export async function benchContactSheet(): Promise<Figure[]> {
  const path = findChromium()
  if (path === undefined) return [{ name: 'contact sheet', figure: 'there is no Chromium here' }]
  return withService(async ({ db, url, address }) => {
    const { id, call } = await makeCustomer(db, url)
    await prepareList(call)
    await fillContacts(address, id, ROWS)
    const { token } = await inviteUser({ db }, COMMAND_LINE, {
      email: 'bench@example.com',
      organisation_id: id,
      role: 'owner',
    })
    const browser = await chromium.launch({ executablePath: path, args: FLAGS })
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const welcome = await context.request.post(`${url}/console/api/welcome`, {
        data: { token, password: 'a drum that talks' },
      })
      if (!welcome.ok()) throw new Error(await welcome.text())
      const page = await context.newPage()
      await page.goto(`${url}/console/#/contacts`)
      await page.getByLabel('Search all cells').waitFor()
      await page.locator('.sheet-row').first().waitFor()
      return await look(page)
    } finally {
      await browser.close()
    }
  })
}

async function look(page: Page): Promise<Figure[]> {
  const foot = (text: RegExp) => page.locator('.table-foot', { hasText: text }).waitFor()
  return [
    await longestFrame(page, `scrolled by wheel, ${WHEELS} times ${WHEEL_PX} px`, async () => {
      await page.mouse.move(700, 600)
      for (let n = 0; n < WHEELS; n += 1) await page.mouse.wheel(0, WHEEL_PX)
    }),
    await longestFrame(page, `scrolled to the end of what was read, ${ENDS} times`, async () => {
      for (let n = 0; n < ENDS; n += 1) {
        const before = await heightOf(page)
        await scrollTo(page, 'sheet.scrollHeight')
        await until('the next rows', 30_000, async () => (await heightOf(page)) > before)
      }
    }),
    await longestFrame(page, 'a range of rows selected, then all', async () => {
      await scrollTo(page, '0')
      await page.locator('[data-row="0"]').click()
      await scrollTo(page, '38 * 5000')
      await page.locator('[data-row="5000"]').click({ modifiers: ['Shift'] })
      await page.getByText('5,001 selected').waitFor()
      await page.getByLabel('Select all that match').click()
      await page.getByLabel('Select all that match').click()
      await page.getByText(`${ROWS.toLocaleString('en')} selected`).waitFor()
    }),
    await longestFrame(page, 'searched, letter by letter', async () => {
      await page.getByLabel('Search all cells').pressSequentially('amina kano', { delay: 80 })
      await page.locator('.sheet:not(.stale)').waitFor()
      await page.getByLabel('Search all cells').fill('08031')
      await foot(/\d contacts/)
      await page.locator('.sheet:not(.stale)').waitFor()
      await page.getByLabel('Search all cells').fill('')
      await page.locator('.sheet:not(.stale)').waitFor()
    }),
  ]
}

async function heightOf(page: Page): Promise<number> {
  return page.evaluate<number>(`document.querySelector('.sheet').scrollHeight`)
}

async function scrollTo(page: Page, top_px: string): Promise<void> {
  await page.evaluate(`(() => { const sheet = document.querySelector('.sheet'); sheet.scrollTo(0, ${top_px}) })()`)
}

const WATCH = `(() => {
  let last = performance.now()
  const seen = (globalThis.frames_seen = { longest: 0, over: 0, count: 0 })
  const step = (now) => {
    if (globalThis.frames_seen !== seen) return
    const ms = now - last
    last = now
    seen.count += 1
    if (ms > seen.longest) seen.longest = ms
    if (ms > 100) seen.over += 1
    requestAnimationFrame(step)
  }
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(step) })
})()`

async function longestFrame(page: Page, what: string, act: () => Promise<void>): Promise<Figure> {
  await page.evaluate(WATCH)
  await act()
  const seen = await page.evaluate<{ longest: number; over: number; count: number }>('globalThis.frames_seen')
  const { longest, over, count } = seen
  return {
    name: `contact sheet of ${ROWS.toLocaleString('en')}: ${what}`,
    figure: `longest frame ${Math.round(longest)} ms, ${over} of ${count} over 100 ms`,
  }
}
