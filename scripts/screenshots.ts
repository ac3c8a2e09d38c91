import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { choose } from '../test/support/browser-fields.ts'
import { openBrowser } from '../test/support/browser.ts'
import { CONSOLE_PAGES } from '../test/support/console.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { spawnGangan, startGangan, type Gangan } from '../test/support/process.ts'
import { startLive } from './sample-live.ts'
import { OPEN_CONVERSATION, sampleCosts, sampleCustomers, sampleData } from './sample-data.ts'

/**
 * Screenshots of every page of the console, light and dark, and some at phone size, into docs/screenshots: of a new
 * service from dist, filled with a realistic day, and of one with real carriers where these matter. `tsx scripts/screenshots.ts send otp` takes only these.
 */
const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const ON_A_PHONE = ['start', 'overview', 'messages', 'send', 'phones', 'contacts']
/** Pages that have nothing to show without real carriers. */
const LIVE = ['carriers', 'evidence', 'probes']
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

if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const sandbox_pages = pages.filter((page) => !LIVE.includes(page))
const live_pages = pages.filter((page) => LIVE.includes(page))
if (sandbox_pages.length > 0) await takeSandbox(sandbox_pages)
if (live_pages.length > 0) await takeLive(live_pages)
await (await openBrowser()).context.browser()?.close()

async function takeSandbox(names: readonly string[]): Promise<void> {
  const data = await temporaryFolder()
  const gangan = await startGangan({ GANGAN_DATA: data.path })
  const command = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await spawnGangan(args, { GANGAN_DATA: data.path })
    if (code !== 0) throw new Error(`gangan ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  try {
    await sampleCosts(command)
    await new Promise((done) => setTimeout(done, COSTS_APPLY_MS))
    await sampleData(gangan.url, gangan.key ?? '')
    await takeAll(gangan, names, () => sampleCustomers(command))
  } finally {
    await gangan.end('SIGTERM')
    await data.remove()
  }
}

async function takeLive(names: readonly string[]): Promise<void> {
  const live = await startLive()
  try {
    await takeAll(live.gangan, names)
  } finally {
    await live.end()
  }
}

/** `prepare`: what is made once an operator has signed in. */
async function takeAll(gangan: Gangan, names: readonly string[], prepare = async () => {}): Promise<void> {
  const { context } = await openBrowser()
  try {
    const page = await enterAsFirst(gangan, context)
    await prepare()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(DESK)
      for (const name of names) await take(gangan, page, name, `${name}-${colorScheme}`)
      if (names.includes('carriers')) await takeForm(page, `route-${colorScheme}`)
      await page.setViewportSize(PHONE)
      for (const name of names.filter((each) => ON_A_PHONE.includes(each))) {
        await take(gangan, page, name, `${name}-phone-${colorScheme}`)
      }
    }
  } finally {
    await context.close()
  }
}

/** The form of a route, with two carriers of which one is chosen by evidence. */
async function takeForm(page: Page, file: string): Promise<void> {
  await page.evaluate("location.hash = '#/carriers'")
  await page.getByRole('button', { name: 'Create a route' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('nigeria-codes')
  await dialog.getByLabel('Numbers that begin with').fill('234')
  for (const carrier of ['direct', 'regional', 'bargain']) {
    await choose(dialog.getByRole('combobox', { name: /^(First|Another) carrier$/ }), carrier)
  }
  await choose(dialog.getByLabel('Carrier of each message'), 'By evidence')
  await dialog.getByRole('group', { name: 'Carriers, in the order in which they are tried' }).scrollIntoViewIfNeeded()
  await page.evaluate("document.querySelector('.list-field').scrollIntoView({ block: 'start' })")
  await shoot(page, file)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.getByRole('button', { name: 'Close anyway' }).click()
}

/** As a user does: with the one-time link of the first start, an address and a password. */
async function enterAsFirst(gangan: Gangan, context: BrowserContext): Promise<Page> {
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

async function take(gangan: Gangan, page: Page, name: string, file: string): Promise<void> {
  await page.goto(`${gangan.url}/console/#/${OPENED[name] ?? name}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForSelector('main .loading', { state: 'detached' })
  await shoot(page, file)
}

async function shoot(page: Page, file: string): Promise<void> {
  // One more frame, for charts that are drawn once their data is loaded.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.screenshot({ path: `${FOLDER}${file}.png` })
  process.stdout.write(`${file}.png\n`)
}
