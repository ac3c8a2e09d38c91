import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { moveWaiting } from '../../src/messaging/operate/move.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import type { AuditEntry } from '../../src/users/schema.ts'
import type { ChangesMade, ConfiguredEntry } from '../../src/live-config/schema.ts'
import { person, type Person } from '../support/person.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PATH = '/console/api/configuration'
const SECRET = 'k3y-of-ours'

type Refused = { errors?: { field: string; type: string; message: string }[]; message?: string }
type Changed = { entry: ConfiguredEntry; ends_sandbox: boolean } & Refused

let service: TestService
/** Another process of the installation. */
let beside: TestService
let operator: Person
/** The same, at the other process. */
let neighbour: Person

/** A carrier whose message centre is not there; it makes the installation live. */
const smpp = (name: string, more: object = {}) => ({
  kind: 'smpp',
  name,
  host: '127.0.0.1',
  port: 9,
  system_id: 'gangan',
  password: SECRET,
  ...more,
})
const settings = {
  carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, smpp('of-file')],
  routes: [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'kenya', channel: 'sms', prefix: '254', carrier: 'of-file' },
  ],
}

beforeAll(async () => {
  service = await openService({ settings })
  beside = await openService({ beside: service, settings })
  operator = await person(service, null)
  neighbour = await person(beside, null)
})
afterAll(async () => {
  await beside.close()
  await service.close()
})

const call = <T = Refused>(method: string, path: string, body?: object) =>
  operator.call<T>(method, `${PATH}${path}`, body)
const entries = async () => (await call<{ entries: ConfiguredEntry[] }>('GET', '')).body.entries
const entry = async (kind: string, name: string) => (await call<Changed>('GET', `/${kind}s/${name}`)).body.entry
const create = (kind: string, body: object) => call<Changed>('POST', `/${kind}s`, { settings: body })
async function created(kind: string, body: { name: string; [field: string]: unknown }): Promise<ConfiguredEntry> {
  const { status, body: made } = await create(kind, body)
  expect([status, made.errors]).toEqual([200, undefined])
  return made.entry
}
async function remove(kind: string, name: string) {
  const { version } = await entry(kind, name)
  return call<ChangesMade & Refused>('DELETE', `/${kind}s/${name}?version=${version}`)
}
const apply = (body: { carriers: object[]; routes: object[]; dry_run?: boolean }) =>
  call<ChangesMade & Refused>('POST', '', body)
const fieldsOf = ({ errors }: Refused) => errors?.map(({ field }) => field)
const auditOf = async (action: string) =>
  (await operator.call<{ entries: AuditEntry[] }>('GET', `/console/api/audit?installation=true&action=${action}`)).body
    .entries

/** The routes with which each process accepts messages. */
async function routesInUse(): Promise<string[][]> {
  return Promise.all(
    [operator, neighbour].map(async (one) => {
      const { body } = await one.call<{ routes: { name: string }[] }>('GET', '/console/api/carriers')
      return body.routes.map(({ name }) => name)
    }),
  )
}
const inUse = (name: string, is_there = true) =>
  until(`the route ${name} to be ${is_there ? 'in use' : 'gone'} in both processes`, async () =>
    (await routesInUse()).every((names) => names.includes(name) === is_there),
  )

describe('entries of the configuration file', () => {
  test('are listed without secrets, in their order, and cannot be changed', async () => {
    expect(await entries()).toMatchObject([
      { kind: 'carrier', name: 'simulator', managed_by: 'file', version: 0 },
      { kind: 'carrier', name: 'of-file', settings: { password: '<secret password>' } },
      { kind: 'route', name: 'sms', managed_by: 'file' },
      { kind: 'route', name: 'kenya', managed_by: 'file' },
    ])
    const change = { version: 0, settings: settings.routes[0] }
    const refusals = [
      await call('PATCH', '/routes/sms', change),
      await call('DELETE', '/routes/sms?version=0'),
      await create('route', { ...settings.routes[0] }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409])
  })

  test('an unknown name is not found', async () => {
    const refusals = [
      await call('GET', '/carriers/nobody'),
      await call('GET', `/carriers/${encodeURIComponent("x'\u0000")}`),
      await call('PATCH', '/carriers/nobody', { version: 1, settings: smpp('nobody') }),
      await call('DELETE', '/routes/nobody?version=1'),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

describe('an entry of an operator', () => {
  test('is used by every process without a restart, and is not used any more once it is deleted', async () => {
    const carrier = await created('carrier', smpp('mtn'))
    expect(carrier).toMatchObject({ managed_by: 'operator', changed_by: operator.email, is_shadowed: false })
    await created('route', { name: 'mtn-ng', channel: 'sms', prefix: '234803', carrier: 'mtn' })
    await inUse('mtn-ng')
    const sent = await service.call<{ id: string }>('POST', '/sms/send', {
      recipients: '2348031234567',
      content: 'Hello',
    })
    expect(sent.status).toBe(200)
    const { body: held } = await remove('route', 'mtn-ng')
    expect(held.message).toContain('A message waits for the route mtn-ng')
    await moveWaiting({ db: service.db, routes: service.config.settings.routes }, COMMAND_LINE, {
      from: 'mtn-ng',
      to: 'sms',
    })
    await until('the route to be deleted', async () => (await remove('route', 'mtn-ng')).status === 200)
    await inUse('mtn-ng', false)
    expect((await remove('carrier', 'mtn')).status).toBe(200)
  })

  test('is refused with all errors at once, and nothing is changed', async () => {
    const before = await entries()
    const { status, body } = await create('carrier', {
      kind: 'smpp',
      name: 'Not a name',
      port: 70_000,
      password: 'far longer than sixteen characters',
      colour: 'red',
    })
    expect(status).toBe(400)
    expect(fieldsOf(body)?.toSorted()).toEqual([
      'settings',
      'settings.host',
      'settings.name',
      'settings.password',
      'settings.port',
      'settings.system_id',
    ])
    const said = (field: string) => body.errors?.find((one) => one.field === field)?.message
    expect([said('settings.host'), said('settings.port'), said('settings.password')]).toEqual([
      'This field is required.',
      'This must be at most 65,535.',
      'This is too long: at most 16 characters.',
    ])
    const phones = { kind: 'phone', name: 'drawer', probe: true, numbers: [{ number: '0803' }] }
    expect((await create('carrier', phones)).body.errors).toEqual([
      { field: 'settings.numbers[0].number', message: 'This is not written as it should be.', type: 'invalid' },
    ])
    const route = await create('route', { name: 'lost', channel: 'sms', carriers: ['mtn-2', 'mtn-2'], rate_per_s: 0 })
    expect([route.status, fieldsOf(route.body)]).toEqual([400, ['settings.rate_per_s']])
    const nowhere = await create('route', { name: 'lost', channel: 'sms', carrier: 'nobody' })
    expect(nowhere.body.errors).toEqual([
      { field: 'settings.carrier', message: 'there is no carrier nobody', type: 'invalid' },
    ])
    const of_kind = await create('carrier', { kind: 'pigeon', name: 'coo' })
    expect(fieldsOf(of_kind.body)).toEqual(['settings.kind'])
    const nul = await create('route', { name: 'nul', channel: 'sms', carrier: 'simulator', operator: 'a\u0000b' })
    expect([nul.status, fieldsOf(nul.body)]).toEqual([400, ['settings.operator']])
    expect(await entries()).toEqual(before)
  })

  test('is changed by one of two operators who edit it; the other is told that it has changed', async () => {
    const { version } = await created('route', { name: 'edited', channel: 'sms', prefix: '2341', carrier: 'simulator' })
    const edit = (rate_per_s: number) =>
      call<Changed>('PATCH', '/routes/edited', {
        version,
        settings: { name: 'edited', channel: 'sms', prefix: '2341', carrier: 'simulator', rate_per_s },
      })
    const answers = await Promise.all([edit(10), edit(20)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const won = answers.find(({ status }) => status === 200)
    expect(await entry('route', 'edited')).toEqual(won?.body.entry)
    const [audit, ...more] = await auditOf('route.update')
    const rate = won?.body.entry.settings.rate_per_s
    expect([audit, more]).toMatchObject([{ actor: operator.email, subject: 'edited', after: { rate_per_s: rate } }, []])
    expect((await call('DELETE', `/routes/edited?version=${version}`)).status).toBe(409)
    expect((await remove('route', 'edited')).status).toBe(200)
    // Another one of the same name is no version of the first.
    const again = await created('route', { name: 'edited', channel: 'sms', prefix: '2341', carrier: 'simulator' })
    expect(again.version).toBeGreaterThan(Number(won?.body.entry.version))
    expect((await remove('route', 'edited')).status).toBe(200)
  })

  test('keeps its name, and a carrier that a route names is not deleted', async () => {
    const { version } = await created('carrier', smpp('glo'))
    await created('route', { name: 'glo-ng', channel: 'sms', prefix: '234805', carriers: ['glo', 'simulator'] })
    const refused = await remove('carrier', 'glo')
    expect([refused.status, refused.body.message]).toEqual([409, 'glo is a carrier of glo-ng: change that first.'])
    const renamed = await call('PATCH', '/carriers/glo', { version, settings: smpp('glow') })
    expect([renamed.status, fieldsOf(renamed.body)]).toEqual([400, ['settings.name']])
    expect((await remove('route', 'glo-ng')).status).toBe(200)
    expect((await remove('carrier', 'glo')).status).toBe(200)
  })
})

describe('secrets of a carrier', () => {
  const binds = [{ password: 'bind-one' }, { password: 'bind-two' }]

  test('are sealed, never answered, and kept by their placeholders', async () => {
    const { version, settings: shown } = await created('carrier', smpp('secretive', { binds }))
    expect(shown).toMatchObject({
      password: '<secret password>',
      binds: [{ password: '<secret binds.0.password>' }, { password: '<secret binds.1.password>' }],
    })
    // The second bind becomes the only one, with its own password; that of the account is new.
    const changed = await call<Changed>('PATCH', '/carriers/secretive', {
      version,
      settings: { ...shown, window: 20, password: 'another', binds: [{ password: '<secret binds.1.password>' }] },
    })
    expect(changed.status).toBe(200)
    const [row] = await service.db<{ secrets: string; settings: string }[]>`
      select secrets, settings::text as settings from configured_entries where name = 'secretive'`
    expect(row?.secrets).toMatch(/^sealed:/)
    const opened = secret_seal.open(row?.secrets ?? '', 'configured carrier secretive')
    expect(JSON.parse(opened ?? '')).toEqual({ password: 'another', 'binds.0.password': 'bind-two' })
    const [update] = await auditOf('carrier.update')
    expect(update).toMatchObject({
      before: { password: '<secret password>' },
      after: { password: '<new secret>', window: 20 },
    })
    const all = [
      changed.text,
      (await call('GET', '')).text,
      row?.settings,
      JSON.stringify(await auditOf('carrier.create')),
      JSON.stringify(update),
      JSON.stringify([...service.log_lines, ...beside.log_lines]),
    ].join('\n')
    for (const secret of [SECRET, 'another', 'bind-one', 'bind-two']) expect(all).not.toContain(secret)
    expect((await remove('carrier', 'secretive')).status).toBe(200)
  })

  test('are required where a placeholder stands for none', async () => {
    const fresh = await create('carrier', smpp('fresh', { password: '<secret password>', window: 0 }))
    expect([fresh.status, fieldsOf(fresh.body)?.toSorted()]).toEqual([400, ['settings.password', 'settings.window']])
  })
})

describe('a file of carriers and routes', () => {
  const file = {
    carriers: [smpp('airtel', { password: 'of-airtel' }), smpp('9mobile')],
    routes: [
      { name: 'one', channel: 'sms', prefix: '2347', carriers: ['airtel', '9mobile'] },
      { name: 'two', channel: 'sms', prefix: '2349', carrier: '9mobile' },
    ],
  }
  const exported = async () => {
    const all = await entries()
    return {
      carriers: all.filter(({ kind }) => kind === 'carrier').map((one) => one.settings),
      routes: all.filter(({ kind }) => kind === 'route').map((one) => one.settings),
    }
  }

  test('is previewed, applied as a whole, and changes nothing the second time, as does an export', async () => {
    const preview = await apply({ ...file, dry_run: true })
    expect([preview.status, preview.body.applied]).toEqual([200, false])
    expect(preview.body.changes.map(({ kind, name, change }) => [kind, name, change])).toEqual([
      ['carrier', 'airtel', 'created'],
      ['carrier', '9mobile', 'created'],
      ['route', 'one', 'created'],
      ['route', 'two', 'created'],
    ])
    expect(await entries()).toHaveLength(4)
    expect((await apply(file)).body.applied).toBe(true)
    await inUse('two')
    expect((await apply(file)).body).toMatchObject({ changes: [], applied: false })
    const own = await exported()
    expect(own.carriers.map(({ name }) => name)).toEqual(['simulator', 'of-file', 'airtel', '9mobile'])
    expect((await apply(own)).body).toMatchObject({ changes: [], applied: false })
  })

  test('shows what differs: fields, new secrets, what is deleted, another order', async () => {
    const { body } = await apply({
      carriers: [file.carriers[1]!, { ...file.carriers[0]!, password: 'changed' }],
      routes: [{ ...file.routes[0]!, rate_per_s: 5 }],
    })
    expect(body.changes).toMatchObject([
      {
        name: 'airtel',
        change: 'updated',
        fields: [{ field: 'password', before: '<secret password>', after: '<new secret>' }],
      },
      { name: 'one', change: 'updated', fields: [{ field: 'rate_per_s', after: 5 }] },
      { name: 'two', change: 'deleted' },
      { name: '*', change: 'reordered', fields: [{ before: 'airtel, 9mobile', after: '9mobile, airtel' }] },
    ])
    expect((await exported()).carriers.map(({ name }) => name)).toEqual(['simulator', 'of-file', '9mobile', 'airtel'])
    await inUse('two', false)
  })

  test('is refused as a whole, with all errors', async () => {
    const before = await entries()
    const { status, body } = await apply({
      carriers: [smpp('airtel', { port: 0 }), smpp('fresh', { password: '<secret password>' })],
      routes: [
        { name: 'kenya', channel: 'sms', prefix: '255', carrier: 'of-file' },
        { name: 'one', channel: 'sms', carrier: 'airtel', rate_per_s: -1 },
      ],
    })
    expect([status, fieldsOf(body)?.toSorted()]).toEqual([
      400,
      ['carriers.airtel.port', 'carriers.fresh.password', 'routes.kenya', 'routes.one.rate_per_s'],
    ])
    expect(await entries()).toEqual(before)
    expect((await apply({ carriers: [], routes: [] })).body.changes.map(({ change }) => change)).toEqual(
      expect.arrayContaining(['deleted']),
    )
    expect(await entries()).toHaveLength(4)
  })
})

describe('the first real carrier of a sandbox', () => {
  test('is stored, and the service is to restart itself, as every answer says until it is gone', async () => {
    const sandbox = await openService()
    onTestFinished(() => sandbox.close())
    const own = await person(sandbox, null)
    type Listed = { entries: ConfiguredEntry[]; ends_sandbox: boolean }
    const listed = async () => (await own.call<Listed>('GET', PATH)).body
    expect((await listed()).ends_sandbox).toBe(false)
    const { body } = await own.call<Changed>('POST', `${PATH}/carriers`, { settings: smpp('first') })
    expect(body.ends_sandbox).toBe(true)
    const pending = await listed()
    expect(pending.ends_sandbox).toBe(true)
    expect(pending.entries.at(-1)).toMatchObject({ name: 'first', managed_by: 'operator' })
    const sent = await sandbox.call('POST', '/sms/send', { recipients: '2348031234567', content: 'Hello' })
    expect(sent.status).toBe(200)
    await own.call('DELETE', `${PATH}/carriers/first?version=${body.entry.version}`)
    expect((await listed()).ends_sandbox).toBe(false)
  })
})

describe('a change of the configuration file', () => {
  test('takes precedence over an entry of the same name, which is back once it is removed from the file', async () => {
    await created('route', { name: 'ghana', channel: 'sms', prefix: '233', carrier: 'simulator', rate_per_s: 5 })
    await inUse('ghana')
    const ghana = { name: 'ghana', channel: 'sms', prefix: '233', carrier: 'of-file' }
    await service.reload({ ...settings, routes: [...settings.routes, ghana] })
    const both = (await entries()).filter(({ name }) => name === 'ghana')
    expect(both).toMatchObject([
      { managed_by: 'file', is_shadowed: false },
      { managed_by: 'operator', is_shadowed: true },
    ])
    expect((await routesInUse())[0]?.filter((name) => name === 'ghana')).toEqual(['ghana'])
    await service.reload(settings)
    expect((await entries()).filter(({ name }) => name === 'ghana')).toMatchObject([
      { managed_by: 'operator', is_shadowed: false },
    ])
    await inUse('ghana')
    expect((await remove('route', 'ghana')).status).toBe(200)
  })
})
