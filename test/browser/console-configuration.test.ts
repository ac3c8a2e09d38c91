import { afterAll, expect } from 'vitest'
import type { ConfiguredEntry } from '../../src/live-config/schema.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { person } from '../support/person.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'
import { findOverflow } from '../support/watch-page.ts'

let smsc: NpmSmsc | undefined
const at = desk(
  async () => {
    smsc = await startNpmSmsc()
    return {
      settings: {
        carriers: [smppCarrier(smsc.port, { name: 'of-file' })],
        routes: [{ name: 'everywhere', channel: 'sms', carrier: 'of-file' }],
      },
    }
  },
  { viewport: { width: 1280, height: 900 } },
)
afterAll(() => smsc?.close())

const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const field = (label: string) => dialog().getByLabel(label, { exact: true })
const json = () => field('Settings')
const row = (name: string) =>
  at.page.getByRole('table', { name: 'Configuration' }).getByRole('row', { name: new RegExp(`^${name} `) })
const add = (name: string) => choose(dialog().getByRole('combobox', { name: /^(First|Another) carrier$/ }), name)
const mtn = (more: object = {}) => ({ ...smppCarrier(smsc?.port ?? 0, { name: 'mtn' }), ...more })

const operator = () => person(at.service, null)

async function settingsOf(kind: 'carrier' | 'route', name: string): Promise<ConfiguredEntry['settings']> {
  const { body } = await (
    await operator()
  ).call<{ entry: ConfiguredEntry }>('GET', `/console/api/configuration/${kind}s/${name}`)
  return body.entry.settings
}

async function remove(name: string): Promise<void> {
  await row(name).getByRole('button', { name: 'Delete' }).click()
  await button('Delete').click()
  await row(name).waitFor({ state: 'detached' })
}

test('an operator creates a carrier in a form, corrects all its errors, and its secret is not shown again', async () => {
  const { sit, page } = at
  await sit(null, 'carriers')
  await row('of-file').getByText('configuration file').waitFor()
  expect(await row('of-file').getByRole('button', { name: 'Edit' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Create a carrier' }).click()
  await field('Window of a bind').fill('0')
  await field('Port').fill('70000')
  await button('Create').click()
  // Every error at once, each at its field.
  const errorAt = async (label: string) => {
    const described = await field(label).getAttribute('aria-describedby')
    return page.locator(`[id="${described?.split(' ').at(-1) ?? ''}"]`).textContent()
  }
  await dialog().getByText('see the fields in red').waitFor()
  expect(await Promise.all(['Host', 'Port', 'system_id', 'Password', 'Window of a bind'].map(errorAt))).toEqual([
    'This field is required.',
    'This must be at most 65,535.',
    'This field is required.',
    'This field is required.',
    'This must be at least 1.',
  ])
  expect(await seriousFaults(page)).toEqual([])
  const { host, port, system_id, password } = mtn() as Record<string, unknown>
  await field('Name').fill('mtn')
  await field('Host').fill(String(host))
  await field('Port').fill(String(port))
  await field('system_id').fill(String(system_id))
  await field('Password').fill(String(password))
  await field('Window of a bind').fill('')
  await button('Create').click()
  await row('mtn').waitFor()
  expect(await settingsOf('carrier', 'mtn')).toEqual({
    kind: 'smpp',
    name: 'mtn',
    host,
    port,
    system_id,
    password: '<secret password>',
  })

  await row('mtn').getByRole('button', { name: 'Edit' }).click()
  await dialog().getByText('Stored. Leave it empty to keep it.').waitFor()
  expect(await field('Password').inputValue()).toBe('')
  await choose(field('Long texts'), 'udh16')
  await button('Save').click()
  await dialog().waitFor({ state: 'detached' })
  expect(await settingsOf('carrier', 'mtn')).toMatchObject({
    password: '<secret password>',
    profile: { long: 'udh16' },
  })

  await until('the binds', () => (smsc?.binds.length ?? 0) > 1)
  await row('mtn').getByRole('button', { name: 'Test' }).click()
  await dialog().getByLabel('Recipient').fill('08031234567')
  await dialog().getByLabel('Sender').fill('Gangan')
  await button('Send').click()
  await dialog().getByText('accepted by the carrier').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await button('Close').last().click()
  await remove('mtn')
})

test('an operator orders the carriers of a route by keyboard, chooses among them, and drafts and conflicts are kept apart', async () => {
  const { sit, page } = at
  await sit(null, 'carriers')
  await (await operator()).call('POST', '/console/api/configuration/carriers', { settings: mtn() })
  await page.reload()
  await page.getByRole('button', { name: 'Create a route' }).click()
  await field('Name').fill('home')
  await field('Numbers that begin with').fill('+234')
  await button('Create').click()
  await dialog().getByText('At least one is needed.').waitFor()
  await add('of-file')
  await add('mtn')
  const order = () => dialog().locator('.list-entry.in-order > span:first-child').allTextContents()
  expect(await order()).toEqual(['of-file', 'mtn'])
  await button('Move mtn up').focus()
  await page.keyboard.press('Enter')
  expect(await order()).toEqual(['mtn', 'of-file'])
  // The button for the same direction is disabled now.
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move mtn down')
  await choose(field('Carrier of each message'), 'By shares')
  await button('Create').click()
  await dialog().getByText('are missing', { exact: true }).waitFor()
  await field('Share of mtn (%)').fill('70')
  await field('Share of of-file (%)').fill('30')
  expect(await seriousFaults(page)).toEqual([])
  await button('Create').click()
  await row('home').waitFor()
  expect(await settingsOf('route', 'home')).toEqual({
    name: 'home',
    channel: 'sms',
    prefix: '234',
    carriers: ['mtn', 'of-file'],
    choose: 'shares',
    shares: { mtn: 70, 'of-file': 30 },
  })

  // What is half written is there again after the page was left, and another operator's change is no lost update.
  await row('home').getByRole('button', { name: 'Edit' }).click()
  await choose(field('Carrier of each message'), 'By evidence')
  await field('Messages that follow (%)').fill('10')
  await field('Messages per second').fill('7')
  await page.reload()
  await row('home').getByRole('button', { name: 'Edit' }).click()
  await dialog().getByText('What you wrote here before is restored').waitFor()
  expect(await field('Messages per second').inputValue()).toBe('7')
  const { entry } = (
    await (await operator()).call<{ entry: ConfiguredEntry }>('GET', '/console/api/configuration/routes/home')
  ).body
  const other = { ...entry.settings, failover_after_s: 60 }
  await (
    await operator()
  ).call('PATCH', '/console/api/configuration/routes/home', {
    version: entry.version,
    settings: other,
  })
  await button('Save').click()
  await dialog().getByText('home was changed in the meantime').waitFor()
  expect(await settingsOf('route', 'home')).toEqual(other)
  await page.reload()
  await row('home').getByRole('button', { name: 'Edit' }).click()
  await button('Save').click()
  await page
    .getByRole('table', { name: 'Routes' })
    .getByRole('row', { name: /^home .*mtn, of-file.*chosen by evidence for 10% of the messages.*7 per second/ })
    .waitFor()

  await row('home').getByRole('button', { name: 'Edit' }).click()
  await button('Remove of-file').click()
  await button('Close').first().click()
  await dialog().getByText('Your changes are not saved.').waitFor()
  await button('Close anyway').click()
  await row('mtn').getByRole('button', { name: 'Delete' }).click()
  await button('Delete').click()
  await dialog().getByText('mtn is a carrier of home: change that first.').waitFor()
  await button('Keep it').click()
  await remove('home')
  await remove('mtn')
})

test('what the form does not have is written as JSON, and the form keeps it', async () => {
  const { sit, page } = at
  await sit(null, 'carriers')
  await page.getByRole('button', { name: 'Create a carrier' }).click()
  await button('Edit as JSON').click()
  await json().fill('{ "kind": ')
  expect(await button('Create').isDisabled()).toBe(true)
  await json().fill(JSON.stringify({ ...mtn({ name: 'glo', binds: [{}, {}] }), window: 0, colour: 'red' }))
  await button('Create').click()
  await dialog().getByText('unknown key colour').waitFor()
  await dialog().getByText('This must be at least 1.').waitFor()
  await json().fill(JSON.stringify(mtn({ name: 'glo', binds: [{}, {}] })))
  await button('Edit in the form').click()
  await dialog().getByText('set as JSON').waitFor()
  await field('Window of a bind').fill('5')
  await button('Create').click()
  await row('glo').waitFor()
  expect(await settingsOf('carrier', 'glo')).toMatchObject({ binds: [{}, {}], window: 5 })
  await row('glo').getByRole('button', { name: 'Edit' }).click()
  await button('Edit as JSON').click()
  expect(await json().inputValue()).toContain('<secret password>')
  await button('Close').last().click()
  await remove('glo')
})

test('a vendor has the credentials and options of its preset, and a secret is in no draft', async () => {
  const { sit, page } = at
  await sit(null, 'carriers')
  await page.getByRole('button', { name: 'Create a carrier' }).click()
  await choose(field('Type'), 'HTTP vendor')
  await field('Name').fill('termii')
  await choose(field('Vendor'), 'Termii')
  await field('channel').fill('dnd')
  await field('api_key').fill('k3y-of-ours')
  await button('Create').click()
  await dialog().getByText('Termii needs it').waitFor()
  const kept = await page.evaluate<string>('JSON.stringify(localStorage)')
  expect(kept).toContain('dnd')
  expect(kept).not.toContain('k3y-of-ours')
  await field('secret_key').fill('another-key')
  await button('Create').click()
  await row('termii').waitFor()
  expect(await settingsOf('carrier', 'termii')).toMatchObject({
    credentials: { api_key: '<secret credentials.api_key>', secret_key: '<secret credentials.secret_key>' },
    options: { channel: 'dnd' },
  })
  await remove('termii')
})

test('the forms fit a phone and a small screen, in French too', async () => {
  const { sit, page } = at
  await sit(null, 'carriers')
  await page.evaluate(`localStorage.setItem('gangan.spoken', 'fr')`)
  await page.reload()
  const fits = async () => {
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findOverflow(page)).toEqual([])
      const wider = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog[open]'))`
      expect(await page.evaluate(wider)).toBe(0)
    }
    expect(await seriousFaults(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Créer une route' }).click()
  await choose(field('Premier fournisseur'), 'of-file')
  await fits()
  await button('Fermer').last().click()
  await button('Fermer quand même').click()
  await page.getByRole('button', { name: 'Créer un fournisseur' }).click()
  for (const kind of ['SMPP', 'Prestataire HTTP', 'WhatsApp Cloud API', 'Téléphones Android', 'Simulateur']) {
    if (kind !== 'SMPP') await choose(field('Type'), kind)
    await fits()
  }
})
