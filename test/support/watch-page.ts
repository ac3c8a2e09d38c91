import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

export type Watch = {
  /** Every address the page requested. */
  requests: string[]
  /** Console errors and warnings, uncaught errors, failed requests and responses of 400 and more. */
  complaints: string[]
}

/** Records the requests and errors of a page from now on. */
export function watchPage(page: Page): Watch {
  const watch: Watch = { requests: [], complaints: [] }
  page.on('request', (request) => watch.requests.push(request.url()))
  page.on('requestfailed', (request) => watch.complaints.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    if (response.status() >= 400) watch.complaints.push(`${response.url()} ${response.status()}`)
  })
  page.on('pageerror', (error) => watch.complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) watch.complaints.push(message.text())
  })
  return watch
}

const AUDIT = readFileSync(new URL('page-audit.js', import.meta.url), 'utf8')

/** The accessibility barriers of a page; a sentence for each. */
export async function findBarriers(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => { ${AUDIT}; return auditPage() })()`)
}

/** Elements that extend beyond the right edge of the window. */
export async function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 80))
      .concat(document.documentElement.scrollWidth > innerWidth ? ['the whole page'] : [])`)
}

/** Tables wider than their place, whose last columns are cut off. */
export async function findCutTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('.table-wrap')]
      .filter((wrap) => wrap.checkVisibility() && wrap.scrollWidth > wrap.clientWidth)
      .map((wrap) => wrap.firstElementChild.getAttribute('aria-label') + ': ' + wrap.scrollWidth + ' of ' + wrap.clientWidth)`)
}

/** Links in one table that a screen reader cannot tell apart: they have the same name and lead to different pages. */
export async function findSameLinks(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('table')].flatMap((table) => {
      const targets = new Map()
      return [...table.querySelectorAll('a')].flatMap((link) => {
        const name = link.getAttribute('aria-label') ?? link.textContent.trim()
        const known = targets.get(name) ?? link.getAttribute('href')
        targets.set(name, known)
        return known === link.getAttribute('href') ? [] : [name]
      })
    })`)
}

/** Elements that make the whole page wider than the window. */
export async function findTooWide(page: Page): Promise<string[]> {
  const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  return wide ? findOverflow(page) : []
}
