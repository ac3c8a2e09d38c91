import { describe, expect } from 'vitest'
import { choose, pick } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import type { Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

const at = desk()

type Table = { columns: { id: string; name: string }[] }
type Found = { rows: { id: string; columns: Record<string, string> }[]; table: Table }

const NAMES = ['Ada Obi', 'Bola Ojo', 'Chidi Eze', 'Dayo Ade', 'Emeka Obi']

/** A new organisation with five contacts, and one of its users. */
async function sheet(): Promise<Organisation> {
  const by = await at.service.organisation({ credit: 1_000 })
  const rows = NAMES.map((Name, n) => ({ columns: { Name, Mobile: `0803123456${n}` } }))
  await by.call('POST', '/lists/contact/rows/bulk', { rows })
  await at.sit(by.id, 'contacts')
  await at.page.getByText('5 contacts').waitFor()
  return by
}

async function cellsOf(by: Organisation, name: string): Promise<string[]> {
  const { body } = await by.call<Found>('POST', '/lists/contact/rows/query', { sort: 'Name' })
  const id = body.table.columns.find((column) => column.name === name)?.id ?? ''
  return body.rows.map(({ columns }) => columns[id] ?? '')
}

const SHEET = 'document.querySelector(".sheet")'
const button = (name: string) => at.page.getByRole('button', { name, exact: true })
const foot = (text: string) => at.page.locator('.table-foot', { hasText: text }).waitFor()

describe('contacts', () => {
  test('are searched, selected, changed and deleted together, and restored', async () => {
    const by = await sheet()
    const { page } = at
    await page.getByLabel('Search all cells').fill('obi')
    await foot('2 contacts')
    await page.getByLabel('Search all cells').fill('')
    await foot('5 contacts')

    // Newest first: from Emeka to Chidi.
    await page.getByLabel('Select Emeka Obi').click()
    await page.getByLabel('Select Chidi Eze').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await button('Change a cell').click()
    expect(await button('Change the cells').isDisabled()).toBe(true)
    await choose(page.getByLabel('Set', { exact: true }), 'Email')
    expect(await button('Change the cells').isDisabled()).toBe(true)
    await page.getByLabel('To', { exact: true }).fill('x')
    await button('Change the cells').click()
    await page.getByText('This is not an email address.').waitFor()
    await page.getByLabel('To', { exact: true }).fill('team@example.com')
    await button('Change the cells').click()
    await page.getByText('3 contacts changed.').waitFor()
    expect((await cellsOf(by, 'Email')).filter(Boolean)).toHaveLength(3)
    expect(await seriousFaults(page)).toEqual([])
    await button('Undo').click()
    await page.getByText('3 contacts restored.').waitFor()
    expect((await cellsOf(by, 'Email')).filter(Boolean)).toEqual([])

    await page.getByLabel('Select all that match').click()
    await page.getByLabel('Select Ada Obi').click()
    await page.getByText('4 selected').waitFor()
    await button('Delete').click()
    await button('Delete them').click()
    await page.getByText('4 contacts deleted.').waitFor()
    await foot('1 contact')
    expect(await cellsOf(by, 'Name')).toEqual(['Ada Obi'])
    await button('Undo').click()
    await foot('5 contacts')
    expect(await cellsOf(by, 'Name')).toEqual(NAMES)

    await page.getByRole('gridcell', { name: 'Bola Ojo', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Bolanle')
    await page.keyboard.press('Enter')
    await page.getByText('Name is saved.').waitFor()
    await button('Undo').click()
    await page.getByRole('gridcell', { name: 'Bola Ojo', exact: true }).waitFor()
    expect(await cellsOf(by, 'Name')).toEqual(NAMES)
  })

  test('are scrolled to the end at once, with the keyboard or the scrollbar, and selected over what was not in view', async () => {
    const by = await at.service.organisation()
    const count = 10_400
    await by.call('POST', '/lists/contact/columns', { name: 'Points', type: 'NUMBER' })
    for (let from = 0; from < count; from += 800) {
      const rows = Array.from({ length: 800 }, (_, n) => ({
        columns: { Name: `Person ${from + n}`, Points: from + n },
      }))
      await by.call('POST', '/lists/contact/rows/bulk', { rows })
    }
    await at.sit(by.id, 'contacts')
    const { page } = at
    await foot('10,400 contacts')
    const cell = (name: string) => page.getByRole('gridcell', { name, exact: true })
    expect(await page.evaluate(`${SHEET}.scrollHeight`)).toBeGreaterThan(count * 38)
    await cell('10399').waitFor()
    expect(await page.evaluate('getComputedStyle(document.querySelector(".sheet-cell.number")).textAlign')).toBe('end')

    await cell('Person 10399').focus()
    await page.keyboard.press('Control+End')
    await cell('Person 0').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.dataset.at')).toBe(`${count - 1} 3`)
    await page.getByLabel('Select Person 3', { exact: true }).click()
    await page.evaluate(`${SHEET}.scrollTop = ${SHEET}.scrollHeight / 2`)
    await page
      .getByRole('gridcell', { name: /^Person 5[12]\d\d$/ })
      .first()
      .focus()
    await page.keyboard.press('Control+Home')
    await cell('Person 10399').waitFor()
    await page.getByText('1 selected').waitFor()
    await page.getByLabel('Select Person 10398', { exact: true }).click({ modifiers: ['Shift'] })
    await page.getByText('Too many to select individually').waitFor()
    await page.getByLabel('Select Person 10398', { exact: true }).click()
    await page.evaluate(`${SHEET}.scrollTop = 900 * 38`)
    await page.getByLabel('Select Person 9499', { exact: true }).click({ modifiers: ['Shift'] })
    await page.getByText('901 selected').waitFor()
    await at.calm()
  })

  test('are filtered by alternatives; a smartlist is opened, changed and saved', async () => {
    const by = await sheet()
    const { page } = at
    await button('Filter').click()
    await page.getByLabel('Value').fill('obi')
    await button('Or…').click()
    await page.getByLabel('Value').last().fill('dayo')
    await foot('3 contacts')
    await button('Save as a smartlist').click()
    await page.getByLabel('Name', { exact: true }).fill('Some')
    await button('Save').click()
    await page.getByRole('link', { name: 'Send to it' }).waitFor()

    await at.open('contacts')
    await choose(page.getByLabel('Smartlist'), 'Some')
    await foot('3 contacts')
    await page.getByLabel('Value').last().fill('bola')
    await button('Save Some').click()
    await page.getByText('Some is saved: 3 contacts').waitFor()
    const { body } = await by.call<{ smartlists: { filters: { any?: { value: string }[] }[] }[] }>(
      'GET',
      '/lists/contact/smartlists',
    )
    expect(body.smartlists.map(({ filters }) => filters[0]?.any?.map(({ value }) => value))).toEqual([['obi', 'bola']])
    await at.calm()
  })

  test('are segments by an amount and a day, typed and picked as the page writes them', async () => {
    const by = await at.service.organisation()
    const { page } = at
    await by.call('POST', '/lists/contact/columns', { name: 'Balance', type: 'NUMBER' })
    await by.call('POST', '/lists/contact/columns', { name: 'Joined', type: 'DATE' })
    const rows = [
      { Name: 'Ada', Balance: 60_000, Joined: '2026-04-03' },
      { Name: 'Bola', Balance: 900, Joined: '2026-04-03' },
      { Name: 'Chidi', Balance: 70_000.5, Joined: '2026-07-01' },
    ]
    await by.call('POST', '/lists/contact/rows/bulk', { rows: rows.map((columns) => ({ columns })) })
    await at.sit(by.id, 'contacts')
    await button('Filter').click()
    await choose(page.getByLabel('Column'), 'Balance')
    await choose(page.getByLabel('Condition'), 'is greater than')
    await page.getByLabel('Value').fill('50,000')
    await foot('2 contacts')
    expect(await page.getByLabel('Value').inputValue()).toBe('50,000')
    await button('Filter').click()
    await choose(page.getByLabel('Column').last(), 'Joined')
    await choose(page.getByLabel('Condition').last(), 'is before')
    await pick(page, 'Value', '01062026')
    await foot('1 contact')
    await at.calm()
    await button('Save as a smartlist').click()
    await page.getByLabel('Name', { exact: true }).fill('Large and early')
    await button('Save').click()
    await page.getByRole('link', { name: 'Send to it' }).waitFor()
    const { body } = await by.call<{ smartlists: { filters: { value: string }[] }[] }>(
      'GET',
      '/lists/contact/smartlists',
    )
    expect(body.smartlists[0]?.filters.map(({ value }) => value)).toEqual(['50000', '2026-06-01'])
  })

  test('have columns that are moved, renamed, resized and hidden, and a page each', async () => {
    const by = await sheet()
    const { page } = at
    const heads = () => page.locator('.sheet-title').allTextContents()
    await button('Columns').click()
    await button('Move Mobile forward').click()
    await expect.poll(heads).toEqual(['Name', 'Mobile', 'Email'])
    await page
      .getByRole('row', { name: /Mobile/ })
      .last()
      .getByRole('button', { name: 'Rename' })
      .click()
    await page.getByLabel('Name', { exact: true }).fill('Phone')
    await page.locator('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Show Email').uncheck()
    await page.locator('dialog').getByRole('button', { name: 'Close' }).first().click()
    await expect.poll(heads).toEqual(['Name', 'Phone'])
    const edge = page.getByLabel('Width of Name')
    const width = async () => (await edge.locator('..').boundingBox())?.width ?? 0
    const before = await width()
    await edge.press('ArrowLeft')
    await expect.poll(width).toBe(Math.round(before) - 20)
    await at.open('contacts')
    await foot('5 contacts')
    expect(await heads()).toEqual(['Name', 'Phone'])
    expect(await width()).toBe(Math.round(before) - 20)

    await by.call('POST', '/sms/send', { recipients: '08031234560', sender_id: 'Gangan', content: 'Are you well?' })
    await by.call('POST', '/sandbox/reply', { from: '08031234560', to: 'Gangan', text: 'Very well' })
    await until('the reply', async () => {
      const { body } = await by.call<{ inbound: unknown[] }>('GET', '/inbound')
      return body.inbound.length === 1
    })
    await page.getByRole('link', { name: 'Open Ada Obi' }).click()
    await page.getByRole('heading', { name: 'Ada Obi' }).waitFor()
    const said = page.getByRole('table', { name: 'Messages and replies' }).getByRole('row')
    await said.nth(2).waitFor()
    const texts = await said.allTextContents()
    expect([texts[1], texts[2]]).toEqual([
      expect.stringContaining('Very well'),
      expect.stringContaining('Are you well?'),
    ])
    await page.getByLabel('Email').fill('ada@example.com')
    await button('Save').click()
    await expect.poll(() => cellsOf(by, 'Email')).toContain('ada@example.com')
    await at.calm()
  })

  test('are imported with a changed mapping, and rejected lines are shown', async () => {
    const by = await sheet()
    const { page } = at
    await button('Import').click()
    const csv = 'Who,Phone,Town\nAda Obi-Eze,08031234560,Lagos\nFola,0803,Kano\n'
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await button('Check the file').click()
    await page.getByText('It would be 0 new, 1 changed, 1 refused').waitFor()
    await page.getByRole('row', { name: /3 Phone 0803/ }).waitFor()
    await page.getByText('Ada Obi-Eze · Fola').waitFor()
    const target = page.getByLabel('Where Phone goes')
    expect(await target.textContent()).toBe('Mobile')
    expect((await target.boundingBox())?.width).toBeGreaterThanOrEqual(150)
    await choose(page.getByLabel('Where Who goes'), 'Name')
    await choose(page.getByLabel('Where Town goes'), 'leave it out')
    await button('Check again').click()
    await button('Import 1 contact').click()
    await page.getByText('Imported: 0 new, 1 changed').waitFor()
    expect(await cellsOf(by, 'Name')).toEqual(['Ada Obi-Eze', ...NAMES.slice(1)])
    const { body } = await by.call<Table>('GET', '/lists/contact')
    expect(body.columns.map(({ name }) => name)).toEqual(['Name', 'Email', 'Mobile'])
    await at.calm()
    // Later, from where it is announced.
    await at.open('overview')
    await page.getByRole('link', { name: 'See the lines' }).click()
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /3 Phone 0803/ })
      .waitFor()
    await at.calm()
    await button('Close').first().click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/#\/contacts$/)
  })

  test('are imported with detected kinds; a column is converted with a preview, and that is undone', async () => {
    const by = await sheet()
    const { page } = at
    await button('Import').click()
    const csv = 'Name,Mobile,Balance,Joined\nAda Obi,08031234560,"50,000",3/4/2026\nBola Ojo,08031234561,900,5/4/2026\n'
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await button('Check the file').click()
    await page.getByText('The dates of Joined are ambiguous').waitFor()
    expect(await button('Import 2 contacts').isDisabled()).toBe(true)
    expect(await page.getByLabel('Type of Balance').textContent()).toBe('Number')
    await choose(page.getByLabel('Type of Balance'), 'Text')
    await choose(page.getByLabel('Format of Joined'), 'day first: 25/12/2026')
    expect(await seriousFaults(page)).toEqual([])
    await button('Check again').click()
    await button('Import 2 contacts').click()
    await page.getByText('Imported: 0 new, 2 changed').waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Close' }).last().click()
    expect((await cellsOf(by, 'Joined')).slice(0, 2)).toEqual(['2026-04-03', '2026-04-05'])

    await button('Columns').click()
    await button('Convert Balance').click()
    await choose(page.getByLabel('New type'), 'Number')
    await button('Check the cells').click()
    await page.getByText('Nothing is changed yet. 2 cells fit Number, 0 do not.').waitFor()
    await page.getByRole('row', { name: /50,000 50000/ }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await button('Convert the column').click()
    await page.getByText('The column is Number now: 2 cells converted').waitFor()
    expect((await cellsOf(by, 'Balance')).slice(0, 2)).toEqual(['50000', '900'])
    await button('Undo').click()
    await page.getByText('The column is restored.').waitFor()
    expect((await cellsOf(by, 'Balance')).slice(0, 2)).toEqual(['50,000', '900'])
    await at.calm()
  })
})
