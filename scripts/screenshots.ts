import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'
import { CONSOLE_PAGES } from '../test/support/console.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { spawnGangan, startGangan } from '../test/support/process.ts'
import { OPEN_CONVERSATION, sampleCosts, sampleCustomers, sampleData } from './sample-data.ts'

/**
 * Screenshots of every page of the console, light and dark, and some at phone size, into docs/screenshots: of a new
 * service from dist, filled with a realistic day. `tsx scripts/screenshots.ts send otp` takes only these.
 */
const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const ON_A_PHONE = ['start', 'overview', 'messages', 'send', 'phones', 'contacts']
const PASSWORD = 'a drum that talks'
/** Until every process knows a change of costs. */
const COSTS_APPLY_MS = 3_000
/** Where a page shows more than its list. */
const OPENED: Record<string, string> = {
  conversations: `conversations/${OPEN_CONVERSATION}`,
  margins: 'margins?days=week&by=operator',
  prices: 'prices/wholesale',
}

const wanted = process.argv.slice(2)
const pages = CONSOLE_PAGES.filter((page) => wanted.length === 0 || wanted.includes(page))

const data = await temporaryFolder()
const gangan = await startGangan({ GANGAN_DATA: data.path })
const browser = await openBrowser()
try {
  if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await sampleCosts(command)
  await new Promise((done) => setTimeout(done, COSTS_APPLY_MS))
  await sampleData(gangan.url, gangan.key ?? '')
  const page = await enterAsFirst(browser.context)
  await sampleCustomers(command)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(DESK)
    for (const name of pages) await take(page, name, `${name}-${colorScheme}`)
    await page.setViewportSize(PHONE)
    for (const name of pages.filter((each) => ON_A_PHONE.includes(each))) {
      await take(page, name, `${name}-phone-${colorScheme}`)
    }
  }
} finally {
  await browser.context.browser()?.close()
  await gangan.end('SIGTERM')
  await data.remove()
}

async function command(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await spawnGangan(args, { GANGAN_DATA: data.path })
  if (code !== 0) throw new Error(`gangan ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** As a user does: with the one-time link of the first start, an address and a password. */
async function enterAsFirst(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const link = /http\S+#\/welcome\?token=\S+/.exec(gangan.output())?.[0] ?? ''
  await page.goto(link)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Your name').fill('Ada Obi')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
  return page
}

async function take(page: Page, name: string, file: string): Promise<void> {
  await page.goto(`${gangan.url}/console/#/${OPENED[name] ?? name}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForSelector('main .loading', { state: 'detached' })
  // One more frame, for charts that are drawn once their data is loaded.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.screenshot({ path: `${FOLDER}${file}.png` })
  process.stdout.write(`${file}.png\n`)
}
