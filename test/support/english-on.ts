import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const FRENCH: Record<string, string> = JSON.parse(readFileSync('console/src/text/fr.json', 'utf8'))

/** The console's English sentences, without those that French writes alike. */
const ENGLISH = Object.entries(FRENCH)
  .map(([key, french]) => ({ english: key.replace(/\|\|.*$/, ''), french }))
  .filter(({ english, french }) => english !== french && !/[{<]/.test(english))
  .map(({ english }) => english)
const ALSO_FRENCH = new Set(Object.values(FRENCH))

/** English sentences of the console on a page that should be French: what is read, and what screen readers announce. */
export async function englishOn(page: Page): Promise<string[]> {
  const shown = new Set(await page.evaluate<string[]>(TEXTS_ON_PAGE))
  return ENGLISH.filter((text) => shown.has(text) && !ALSO_FRENCH.has(text))
}

const TEXTS_ON_PAGE = `(() => {
  const texts = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) texts.push(nodes.currentNode.textContent.trim())
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(element.getAttribute(name) ?? '')
  }
  return texts
})()`
