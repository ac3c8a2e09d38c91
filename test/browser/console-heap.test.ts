import type { CDPSession } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest as test } from '../support/browser-test.ts'
import { desk } from '../support/desk.ts'

const at = desk({ credit: 1_000 })

const CONTACTS = 50_000
/** Each shows pages of contacts that were not in view before. */
const SCROLL_ROWS = 1_000
/** Between the 1.8 MB of the pages that are kept, and the 4 MB of all that were in view. */
const MOST_GROWTH_BYTES = 3_000_000

/** What the page still holds once all garbage is collected. */
async function heapOf(cdp: CDPSession): Promise<number> {
  for (let n = 0; n < 3; n += 1) await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}

async function expectFewRows(): Promise<void> {
  expect(await at.page.locator('main [role=row]').count()).toBeLessThan(60)
}

test('50,000 contacts are scrolled: few are rendered, and few are kept', { timeout: 240_000 }, async () => {
  const { page, context, service } = at
  const by = await service.organisation()
  const columns = { Name: 'Person 0', Email: 'person0@example.com', Mobile: '08030000000' }
  await by.call('POST', '/lists/contact/rows', { columns })
  // As many copies: to import them takes a minute on a busy machine.
  await service.db`
    insert into contact_rows (organisation_id, id, cells, keys)
    select organisation_id, gen_random_uuid(), replace(cells::text, 'Person 0', 'Person ' || n)::jsonb, keys
    from contact_rows, generate_series(1, ${CONTACTS - 1}::integer) n where organisation_id = ${by.id}`
  await at.sit(by.id, 'contacts')
  await page.getByText(/50,000 contacts/).waitFor()
  const cdp = await context.newCDPSession(page)
  let before = 0
  for (let row = 0; row < CONTACTS; row += SCROLL_ROWS) {
    await page.evaluate(`(() => {
      const sheet = document.querySelector('[role=grid]')
      sheet.scrollTop = (sheet.scrollHeight - sheet.clientHeight) * ${row / CONTACTS}
    })()`)
    await page.locator(`[role=row][aria-rowindex="${row + 1}"][aria-busy=false]`).waitFor()
    await expectFewRows()
    if (row === CONTACTS / 5) before = await heapOf(cdp)
  }
  expect((await heapOf(cdp)) - before).toBeLessThan(MOST_GROWTH_BYTES)
})

test('50,000 changes arrive while the page shows messages: the list is read anew, and nothing is kept of them', async () => {
  const { page, context, service } = at
  const by = await service.organisation()
  await at.sit(by.id, 'messages')
  const cdp = await context.newCDPSession(page)
  let before = 0
  for (let batch = 0; batch < 5; batch += 1) {
    const message = { message_id: 'NUMBER', status: 'delivered' }
    const events = [{ kind: 'deliveries', messages: [message], truncated: false }]
    const payload = JSON.stringify({ organisation_id: by.id, events })
    await service.db`select pg_notify('gangan_live', replace(${payload}, 'NUMBER', n::text)) from generate_series(1, 10000) n`
    await by.call('POST', '/sms/send', { recipients: '08031234567', content: `Batch ${batch}` })
    await page.getByText(`Batch ${batch}`).first().waitFor()
    if (batch === 1) before = await heapOf(cdp)
  }
  await expectFewRows()
  expect((await heapOf(cdp)) - before).toBeLessThan(MOST_GROWTH_BYTES)
})
