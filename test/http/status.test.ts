import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Db } from '../../src/db/connect.ts'
import { listProcesses, processName } from '../../src/status/process-store.ts'
import type { Status } from '../../src/status/schema.ts'
import { readStatus } from '../../src/status/read-status.ts'
import { newId } from '../../src/values/id.ts'
import { readVersion } from '../../src/values/version.ts'
import { databaseSubject } from '../../src/wiring/status.ts'
import { temporaryFolder, type Folder } from '../support/folder.ts'
import { person, type Person } from '../support/person.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let folder: Folder
let service: TestService
let operator: Person

beforeAll(async () => {
  folder = await temporaryFolder()
  service = await openService({
    workers: false,
    settings: {
      backups: { folder: folder.path, every_hours: 6 },
      carriers: [{ kind: 'simulator', name: 'simulator' }, smppCarrier(1)],
      routes: [{ name: 'sms', channel: 'sms', carriers: ['mtn', 'simulator'] }],
    },
    config: { sandbox: false, database_url: 'postgres://elsewhere' },
  })
  operator = await person(service, null)
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

/** Without the cache of the route. */
const now = (): Promise<Status> => readStatus(databaseSubject(service.config, service.db))
const of = (status: Status, check: string) => status.findings.filter((one) => one.check === check)

async function beside(roles: { http: boolean; worker: boolean; version?: string }, work: () => Promise<void>) {
  const named = processName({ version: readVersion(), ...roles })
  const db: Db = connect(service.database.address, { connections: 1, application_name: named })
  await db`select 1`
  try {
    await work()
  } finally {
    await db.end()
    // The server ends a connection a moment after its client.
    await until('the connection to end', async () => (await listProcesses(service.db)).length === 0)
  }
}

describe('GET /console/api/status', () => {
  test('is for operators', async () => {
    const { status, body } = await operator.call<Status>('GET', '/console/api/status')
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: readVersion(), level: 'critical' })
    expect(Date.parse(body.checked_datetime)).toBeGreaterThan(Date.now() - 60_000)
    const ada = await person(service, service.id)
    expect((await ada.call('GET', '/console/api/status')).status).toBe(403)
  })

  test('gives advice and a section of the runbook for every finding that is not ok, and for no other', async () => {
    const { findings } = await now()
    expect(findings.length).toBeGreaterThan(10)
    for (const { level, advice, runbook } of findings) {
      expect([advice !== undefined, runbook !== undefined]).toEqual([level !== 'ok', level !== 'ok'])
    }
  })
})

describe('processes', () => {
  test('are found by the names of their connections, with version and roles', async () => {
    expect(of(await now(), 'processes')).toMatchObject([{ level: 'critical', runbook: 'gangandown' }])
    await beside({ http: true, worker: true }, async () => {
      const [found] = await listProcesses(service.db)
      expect(found).toMatchObject({
        http: true,
        worker: true,
        pid: process.pid,
        connections: 1,
        version: readVersion(),
      })
      expect(of(await now(), 'processes')).toMatchObject([{ level: 'ok' }])
    })
  })

  test('without workers, or without HTTP, are critical', async () => {
    await beside({ http: true, worker: false }, async () => {
      const [worst] = of(await now(), 'processes')
      expect(worst).toMatchObject({ level: 'critical', summary: expect.stringContaining('No process runs workers') })
    })
    await beside({ http: false, worker: true }, async () => {
      const [worst] = of(await now(), 'processes')
      expect(worst).toMatchObject({ level: 'critical', summary: 'No process serves HTTP.' })
    })
  })

  test('of another version are a warning', async () => {
    await beside({ http: true, worker: true, version: '0.9.9' }, async () => {
      const [worst] = of(await now(), 'processes')
      expect(worst).toMatchObject({ level: 'warning', summary: expect.stringContaining('0.9.9') })
    })
  })
})

describe('the database', () => {
  test('answers, has connections left, the schema of this build, and its clock', async () => {
    const status = await now()
    for (const check of ['database', 'connections', 'schema', 'clock']) {
      expect(of(status, check)).toMatchObject([{ level: 'ok' }])
    }
  })

  test('with a newer schema, an older one, or other functions is reported', async () => {
    const level = async (): Promise<string[]> => of(await now(), 'schema').map((one) => `${one.level}: ${one.summary}`)
    const [newest] = await service.db<{ number: number; name: string }[]>`
      select number, name from migrations order by number desc limit 1`
    const { number = 0, name = '' } = newest ?? {}
    await service.db`insert into migrations (number, name) values (${number + 1}, 'of_tomorrow')`
    expect(await level()).toEqual([
      `critical: The database has schema ${number + 1}; this build knows schema ${number} only.`,
    ])
    await service.db`delete from migrations where number >= ${number}`
    expect(await level()).toEqual([expect.stringMatching(/^critical: .* this build needs schema/)])
    await service.db`insert into migrations (number, name) values (${number}, ${name})`
    await service.db`update function_files set hash = 'x' || hash where name = 'accept.sql'`
    expect(await level()).toEqual([expect.stringMatching(/^warning: .* functions of another build/)])
    await service.db`update function_files set hash = substr(hash, 2) where name = 'accept.sql'`
    expect(await level()).toEqual([expect.stringMatching(/^ok: /)])
  })
})

describe('backups', () => {
  const backups = async () => (await now()).findings.filter(({ check }) => check === 'backups')
  const insert = (age: string, fault: string | null) => service.db`
    insert into backups (id, file, begun_datetime, ended_datetime, bytes, fault)
    values (${newId()}, 'a', now() - ${age}::interval, now(), 1000, ${fault})`
  beforeEach(() => service.db`delete from backups`)

  test('that were never made are a warning', async () => {
    expect(await backups()).toMatchObject([{ level: 'warning', summary: 'No scheduled backup is complete yet.' }])
  })

  test('are ok within two intervals, and critical after that', async () => {
    await insert('11 hours', null)
    expect(await backups()).toMatchObject([{ level: 'ok', summary: expect.stringContaining('11 h old') }])
    await service.db`update backups set begun_datetime = now() - interval '13 hours'`
    expect(await backups()).toMatchObject([{ level: 'critical', runbook: 'ganganbackupold' }])
  })

  test('that failed are a warning while the newest complete one is recent', async () => {
    await insert('5 hours', null)
    await insert('1 hour', 'disk full')
    expect(await backups()).toMatchObject([{ level: 'warning', runbook: 'ganganbackupfails' }])
  })

  test('that only failed are critical', async () => {
    await insert('1 hour', 'disk full')
    expect(await backups()).toMatchObject([
      { level: 'critical', summary: 'No scheduled backup has succeeded; 1 failed.' },
    ])
  })

  test('have a disk, which is measured', async () => {
    const status = await readStatus(databaseSubject(service.config, service.db))
    expect(of(status, 'disk')).toMatchObject([{ summary: expect.stringContaining(folder.path) }])
    const lost = { ...service.config, settings: { ...service.config.settings } }
    lost.settings.backups = { folder: `${folder.path}/gone`, every_hours: 6, keep: 1 }
    expect(of(await readStatus(databaseSubject(lost, service.db)), 'disk')).toMatchObject([
      { level: 'warning', summary: expect.stringContaining('ENOENT') },
    ])
  })
})

describe('traffic', () => {
  test('messages to a carrier that is down are held, and the carrier is critical', async () => {
    const sent = await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    expect(sent.status).toBe(200)
    const status = await now()
    expect(of(status, 'carriers')).toMatchObject([
      { level: 'critical', summary: expect.stringContaining('mtn is down') },
      {},
    ])
    expect(of(status, 'held messages')).toMatchObject([
      {
        level: 'warning',
        summary: expect.stringMatching(/^1 message on sms to mtn is held for \d+ s: no process holds/),
      },
    ])
    await service.db`update intake
      set created_datetime = (created_datetime at time zone 'UTC' - interval '6 minutes') at time zone 'UTC'`
    const later = await now()
    expect(of(later, 'held messages')).toMatchObject([{ level: 'critical', runbook: 'ganganmessagesheld' }])
    expect(of(later, 'queues')).toMatchObject([{ level: 'critical', runbook: 'ganganqueueold' }])
  })

  test('the certificates of SMPP carriers are those that their binds saw', async () => {
    const insert = (days: number) => service.db`
      insert into carrier_binds (carrier, bind, holder, lease_until, state, figures)
      values ('tls', 1, ${newId()}, now() + interval '1 minute', 'bound',
        jsonb_build_object('certificate_expires', now() + ${days} * interval '1 day'))
      on conflict (carrier, bind) do update set figures = excluded.figures`
    const levels: string[] = []
    for (const days of [60, 10, 2, -1]) {
      await insert(days)
      levels.push(
        ...of(await now(), 'carrier certificates').map(({ level, summary }) => `${level} ${summary.split(' on ')[0]}`),
      )
    }
    expect(levels).toEqual([
      'ok The certificate of tls expires',
      'warning The certificate of tls expires',
      'critical The certificate of tls expires',
      'critical The certificate of tls expired',
    ])
    await service.db`delete from carrier_binds where carrier = 'tls'`
  })
})

describe('customers', () => {
  test('endpoints that fail or were disabled are a warning', async () => {
    expect(of(await now(), 'callbacks')).toMatchObject([{ level: 'ok' }])
    const { body } = await service.call<{ id: string }>('POST', '/webhooks', { url: 'https://shop.example/hook' })
    await service.db`update webhooks set failing_since = now() where id = ${body.id}`
    expect(of(await now(), 'callbacks')).toMatchObject([
      { level: 'warning', summary: expect.stringContaining('Failing endpoints: 1, disabled: 0.') },
    ])
    await service.call('DELETE', `/webhooks/${body.id}`)
  })

  test('senders that wait for longer than a day are a warning', async () => {
    expect(of(await now(), 'senders')).toMatchObject([{ level: 'ok' }])
    const { body } = await service.call<{ id: string }>('POST', '/senders', { sender_id: 'Shop' })
    expect(of(await now(), 'senders')).toMatchObject([
      { level: 'ok', summary: expect.stringContaining('1 sender is waiting for a decision, for 0 days.') },
    ])
    await service.db`update senders set created_datetime = now() - interval '2 days' where id = ${body.id}`
    expect(of(await now(), 'senders')).toMatchObject([{ level: 'warning' }])
  })

  test('API keys that expire within two weeks are a warning', async () => {
    expect(of(await now(), 'keys')).toMatchObject([{ level: 'ok' }])
    await service.db`
      update api_keys set expires_datetime = now() + interval '3 days' where id = (
        select id from api_keys where organisation_id = ${service.id} limit 1)`
    expect(of(await now(), 'keys')).toMatchObject([
      { level: 'warning', summary: expect.stringMatching(/^1 API key expires soon, in 2 days\.$/) },
    ])
  })
})

describe('the archive of the embedded database', () => {
  const HOUR_S = 3_600
  type Archive = { until_s: number; base_s: number }
  const archive = async (ages: Archive | undefined, every_s: number | undefined = 60) => {
    const subject = databaseSubject(service.config, service.db)
    const now_s = Date.now() / 1_000
    const found = ages && { until_s: now_s - ages.until_s, base_s: now_s - ages.base_s }
    const status = await readStatus({
      ...subject,
      machine: { ...subject.machine, readArchive: async () => found },
      backups: { folder: folder.path, every_hours: 6, keep: 1, ...(every_s > 0 ? { wal: { every_s } } : {}) },
    })
    return of(status, 'archive')
  }

  test('is ok while it reaches the present and its base backup is recent', async () => {
    expect(await archive({ until_s: 120, base_s: 11 * HOUR_S })).toMatchObject([
      { level: 'ok', summary: expect.stringMatching(/ends 2 min ago; its newest base backup is 11 h old/) },
    ])
    expect(await archive(undefined, 0)).toEqual([])
  })

  test('is critical when it ends a quarter of an hour ago, and a warning when it is empty', async () => {
    expect(await archive({ until_s: 901, base_s: HOUR_S })).toMatchObject([
      { level: 'critical', runbook: 'ganganarchivebehind' },
    ])
    expect(await archive(undefined)).toMatchObject([{ level: 'warning', summary: 'The database is not archived yet.' }])
  })

  test('is a warning when its base backup is older than two intervals', async () => {
    expect(await archive({ until_s: 1, base_s: 13 * HOUR_S })).toMatchObject([
      { level: 'warning', runbook: 'ganganbasebackupold' },
    ])
  })
})
