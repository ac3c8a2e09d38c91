import type { Locator, Page } from 'playwright-core'

/** Chooses an option of one of the console's selects, by its label. */
export async function choose(select: Locator, option: string | RegExp): Promise<void> {
  await select.click()
  await select.page().getByRole('option', { name: option, exact: true }).click()
  await select.page().locator('.popover').waitFor({ state: 'detached' })
}

/** Types a date into one of the console's date fields, in the order of its segments: `28022026`, `281220261030`. */
export async function pick(page: Page, label: string, digits: string): Promise<void> {
  const field = page.getByRole('group', { name: label, exact: true })
  await field.getByRole('spinbutton').first().click()
  await page.keyboard.type(digits)
}

/** How `pick` wants a moment in a time zone, in an English page. */
export function digitsOf(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return format.format(moment).replaceAll(/\D/g, '')
}
