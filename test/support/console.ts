import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import type { Role } from '../../src/users/roles.ts'
import type { TestService } from './service.ts'
import { person } from './person.ts'
import type { Watch } from './watch-page.ts'

/** Every page in the navigation, by its path, as the console itself lists them. */
export const CONSOLE_PAGES: readonly string[] = [
  ...readFileSync(new URL('../../console/src/pages.ts', import.meta.url), 'utf8').matchAll(/page\(\s*'([\w-]+)',/g),
].map(([, path = '']) => path)

/** Gives the browser a session of a user of this organisation; null: an operator. */
export async function enter(
  context: BrowserContext,
  service: TestService,
  organisation_id: string | null,
  role: Role = 'owner',
): Promise<void> {
  const { cookie } = await person(service, organisation_id, organisation_id, role)
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: service.url }])
}

export async function openPage(page: Page, service: TestService, path: string): Promise<void> {
  await page.goto(`${service.url}/console/#/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Leaving a page aborts its pending requests; the browser logs that, but it is not an error. */
export function complaintsIn({ complaints }: Watch): string[] {
  return complaints.filter((complaint) => !complaint.endsWith('net::ERR_ABORTED'))
}

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

type Violation = { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] }

/**
 * Violations that axe calls serious or critical, a line for each element. Rows of a former search are gray until the new ones
 * arrive, which is waited for. A search may begin while axe runs, so what it finds has to be there a second time.
 */
export async function seriousFaults(page: Page): Promise<string[]> {
  const found = await findViolations(page)
  return found.length === 0 ? [] : findViolations(page)
}

async function findViolations(page: Page): Promise<string[]> {
  await page.locator('.stale').first().waitFor({ state: 'detached' })
  if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(`${AXE}; undefined`)
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.replaceAll('\n', ' ')}`),
    )
}
