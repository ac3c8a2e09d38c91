import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { auditPurchases } from '../../src/airtime/audit-store.ts'
import { listTables } from '../../src/db/backup/catalogue.ts'
import { frame, FRAMES, ORGANISATION_FORMAT, type FrameKind } from '../../src/db/backup/format.ts'
import type { Db } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { findTwin } from '../../src/organisations/store.ts'
import type { InstallationKeys } from '../../src/otp/pepper.ts'
import { SEALED_COLUMNS } from '../../src/sealing/columns.ts'
import { listSealed } from '../../src/sealing/store.ts'
import { transferKeys } from '../../src/transfer/key.ts'
import { EXPORTED, NOT_EXPORTED } from '../../src/transfer/tables.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { numbersOf } from '../support/drafts.ts'
import { contentOf } from '../support/empty-database.ts'
import { fileOf } from '../support/files.ts'
import { temporaryFolder } from '../support/folder.ts'
import { fill, fillRest } from '../support/person-data.ts'
import { person, type Person } from '../support/person.ts'
import { runGangan } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { keysOf, PEPPER } from '../support/secret-seal.ts'
import { caller, openService, type Organisation, type TestService } from '../support/service.ts'
import { makeAccount } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

/** An export needs one snapshot, which a cluster does not have. */
const on_cluster = inject('cluster') !== undefined
/** Of the installation that the organisation moves to. */
const OTHER_PEPPER = 'the pepper of another installation'
const FAR = '2348031234567'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let number = 0

beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

const newFile = (): string => join(folder.path, `${(number += 1)}.gangan`)
const here = ({ url }: TestDatabase) => ({ DATABASE_URL: url, GANGAN_PEPPER: PEPPER })
const there = ({ url }: TestDatabase) => ({ DATABASE_URL: url, GANGAN_PEPPER: OTHER_PEPPER })

async function exportFrom(database: TestDatabase, id: string, ...options: string[]): Promise<string> {
  const file = newFile()
  const made = await runGangan(['organisations', 'export', id, file, ...options], here(database))
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining(id)])
  return file
}

const restoreTo = (database: TestDatabase, file: string, ...options: string[]) =>
  runGangan(['organisations', 'restore', file, ...options], there(database))

async function send(call: Organisation['call'], recipients: readonly string[], content: string): Promise<void> {
  const { status, text } = await call('POST', '/sms/send', { recipients, content })
  if (status !== 200) throw new Error(`a send was answered ${status}: ${text}`)
}

async function idsOf(db: Db, id: string): Promise<string[]> {
  const twin = await findTwin(db, id)
  return [id, twin?.id ?? '']
}

/** What differs in the other installation: numbers of jobs, sealed values, and what a restore or `resume` sets. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  jobs: ['id', 'leased', 'leased_until'],
  intake: ['leased_until', 'claims'],
  callbacks: ['burst_id'],
  submissions: ['report_due'],
  organisations: ['callback_secrets', 'suspended_datetime', 'held'],
  webhooks: ['secret', 'old_secret'],
  hooks: ['secret'],
  users: ['totp_secret'],
  otp_test_numbers: ['sealed_token'],
  erasures: ['sealed_number'],
}

/** The rows of an organisation and its twin, as text, by table. */
async function rowsOf(db: Db, ids: readonly string[]): Promise<Record<string, string[]>> {
  const list = ids.map((id) => `'${id}'`).join(', ')
  const rows: Record<string, string[]> = {}
  for (const [table, owner] of Object.entries(EXPORTED)) {
    const own =
      owner === 'user_id'
        ? `user_id in (select id from users where organisation_id in (${list}))`
        : `${owner} in (${list})`
    const without = `'{${(CHANGES[table] ?? []).join(',')}}'::text[]`
    const found = await db.unsafe<{ row: string }[]>(
      `select (to_jsonb(t) - ${without})::text as row from "${table}" t where ${own} order by 1`,
    )
    rows[table] = found.map(({ row }) => row).filter((row) => !/"action": "organisation\.(export|restore)"/.test(row))
  }
  return rows
}

/** All sealed values that open under these keys, by their place. */
async function openedSecrets(db: Db, keys: InstallationKeys): Promise<Map<string, string>> {
  const opened = new Map<string, string>()
  for (const column of SEALED_COLUMNS.filter(({ table }) => EXPORTED[table])) {
    for (const { key, values } of await listSealed(db, column, undefined, 1_000)) {
      for (const [n, value] of values.entries()) {
        const bound = column.boundTo(...key)
        const text = typeof value === 'string' ? keys.secret_seal.open(value, bound) : keys.seal.open(value, bound)
        if (text !== undefined) opened.set([column.table, column.column, ...key, n].join(' '), text)
      }
    }
  }
  return opened
}

const isOfOther = (place: string, ids: readonly string[]): boolean =>
  place.startsWith('organisations ') && !ids.some((id) => place.includes(id))

const audit = async (db: Db): Promise<string[]> => [...(await auditMoney(db)), ...(await auditPurchases(db))]

test('every table is exported, or has a reason why not; no key that others share is an expression', async () => {
  const database = await freshDatabase()
  try {
    const tables = await database.db<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`
    const names = tables.map(({ name }) => name)
    const known = [...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)]
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    expect(known.filter((name) => !names.includes(name))).toEqual([])
    expect(Object.keys(EXPORTED).filter((name) => name in NOT_EXPORTED)).toEqual([])
    // An export says of every such table which column is that of its owner.
    const owners = await database.db<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organisation_id' and table_name = any (${names}::text[])`
    const owned = new Set(owners.map(({ name }) => name))
    expect(Object.keys(EXPORTED).filter((name) => EXPORTED[name] === 'organisation_id' && !owned.has(name))).toEqual([])
    const backed_up = (await listTables(database.db)).map(({ name }) => name)
    expect(Object.keys(EXPORTED).filter((name) => !backed_up.includes(name))).toEqual([])
  } finally {
    await database.drop()
  }
})

describe.skipIf(on_cluster)('an organisation with rows in every table', () => {
  let source: TestDatabase
  let target: TestDatabase
  let owner: TestService
  let user: Person
  let ids: string[]
  let file: string

  beforeAll(async () => {
    source = await freshDatabase()
    target = await freshDatabase()
    const receiver = await startReceiver()
    owner = await openService({ beside: { database: source }, credit: 100_000, settings: { smpp_server: { port: 0 } } })
    ids = await idsOf(source.db, owner.id)
    const names = {
      number: FAR,
      national: '08031234567',
      spaced: '+234 (0) 803 123-4567',
      callback: `${receiver.url}/hook`,
    }
    await fill({ db: source.db, receiver, by: owner }, names)
    const uploaded = await owner.call('POST', '/media?filename=shop.png', fileOf('png'), {
      'content-type': 'image/png',
    })
    if (uploaded.status !== 200) throw new Error(uploaded.text)
    await makeAccount(owner, { system_id: 'ada-stores' })
    user = await person(owner, owner.id)
    const twin = await owner.organisation({ of: owner, mode: 'test' })
    await send(twin.call, [FAR], 'of the twin')
    await fillRest({ db: source.db, by: owner }, names)
    await fillByHand(source.db, owner.id, (await person(owner, owner.id)).id)
    await owner.close()
    // Nothing submits this one.
    const idle = await openService({ beside: { database: source }, workers: false })
    const call = caller(idle.url, owner.key)
    await send(call, numbersOf(3), 'waits')
    await idle.close()
    await receiver.close()
    file = await exportFrom(source, owner.id)
  })
  afterAll(async () => {
    await source.drop()
    await target.drop()
  })

  test('is the same in another installation, to the last row, with its secrets sealed there', async () => {
    const ours = await rowsOf(source.db, ids)
    expect(Object.keys(ours).filter((table) => ours[table]?.length === 0)).toEqual([])
    const before = await contentOf(target)
    const restored = await restoreTo(target, file)
    expect([restored.code, restored.stderr, restored.stdout]).toEqual([
      0,
      expect.any(String),
      expect.stringContaining('Every balance is the sum of its ledger lines'),
    ])
    expect(restored.stdout).toMatch(/On hold: [1-9]\d* deliveries, and [1-9]\d* that are scheduled/)
    expect(restored.stdout).toContain('This installation has no route gone')
    expect(restored.stdout).toContain('their passwords do not work here: ada-stores')
    expect(await audit(target.db)).toEqual([])

    expect((await runGangan(['organisations', 'resume', owner.id], there(target))).code).toBe(0)
    const theirs = await rowsOf(target.db, ids)
    for (const table of Object.keys(EXPORTED)) expect([table, theirs[table]]).toEqual([table, ours[table]])
    const after = await contentOf(target)
    expect(Object.keys(NOT_EXPORTED).filter((name) => after[name] !== before[name])).toEqual([])

    const secrets = await openedSecrets(source.db, keysOf(PEPPER))
    expect(secrets.size).toBeGreaterThan(5)
    expect(new Set(SEALED_COLUMNS.map(({ table }) => table).filter((table) => EXPORTED[table]))).toEqual(
      new Set([...secrets.keys()].map((place) => place.split(' ')[0])),
    )
    const sealed_there = await openedSecrets(target.db, keysOf(OTHER_PEPPER))
    // Each service of the tests makes an organisation.
    for (const place of secrets.keys()) if (isOfOther(place, ids)) secrets.delete(place)
    for (const [place, text] of secrets) expect([place, sealed_there.get(place)]).toEqual([place, text])
    const contents = gunzipSync(readFileSync(file)).toString('latin1')
    const secret = [...secrets.values()].filter((text) => text.length > 8 && text !== FAR)
    expect(secret.filter((text) => contents.includes(text))).toEqual([])
  })

  test('has its API keys and passwords there', async () => {
    const service = await openService({
      beside: { database: target },
      workers: false,
      config: { pepper: OTHER_PEPPER },
    })
    const answer = await caller(service.url, owner.key)('GET', '/balance')
    expect(answer.status).toBe(200)
    const login = await fetch(`${service.url}/console/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: user.email, password: user.password }),
    })
    expect(login.status).toBe(200)
    await service.close()
  })

  test('is not restored twice, and all that conflicts is named', async () => {
    const before = await contentOf(target)
    const again = await restoreTo(target, file)
    expect(again.code).toBe(4)
    expect(again.stderr).toContain('conflicts with what this installation has; nothing was restored:')
    for (const what of [
      'organisations: id',
      'users: id',
      'api_keys: key_hash',
      'smpp_accounts: system_id ada-stores',
      'hooks: name',
    ]) {
      expect(again.stderr).toContain(what)
    }
    expect(await contentOf(target)).toEqual(before)
  })
})

/** What only carriers, vendors and browsers write, and is sealed. */
async function fillByHand(db: Db, o: string, user_id: string): Promise<void> {
  const keys = keysOf(PEPPER)
  const text = (value: unknown): string => JSON.stringify(value)
  const hook = 'supabase-0123456789abcdef'
  await db`
    insert into hooks (name, organisation_id, kind, secret)
    values (${hook}, ${o}, 'supabase', ${keys.secret_seal.close('secret of the hook', boundTo('hooks', hook))})`
  await db`
    update users set totp_secret = ${keys.seal.close('secret of the app', boundTo('users', user_id))} where id = ${user_id}`
  const erasure = newId()
  await db`
    insert into erasures (organisation_id, id, number_hash, sealed_number, asked_by)
    values (${o}, ${erasure}, 'x', ${keys.seal.close(FAR, boundTo('erasures', o, erasure))}, 'api')`
  await db`
    insert into passkeys (user_id, id, credential_id, public_key, rp_id, name)
    values (${user_id}, ${newId()}, ${Buffer.from('credential')}, ${Buffer.from('key')}, 'example.com', 'Phone')`
  await db`
    update webhooks set old_secret = ${keys.secret_seal.close('former', 'x')}, old_secret_until = now()
    where organisation_id = ${o}`
  for (const { id } of await db<{ id: string }[]>`select id from webhooks where organisation_id = ${o}`) {
    const sealed = keys.secret_seal.close('former secret', boundTo('webhooks', o, id))
    await db`update webhooks set old_secret = ${sealed} where organisation_id = ${o} and id = ${id}`
  }
  await db`
    insert into conversation_notes (organisation_id, id, phone, text)
    select organisation_id, ${newId()}, phone, 'A note' from conversations where organisation_id = ${o} limit 1`
  await db`
    insert into otp_guard (organisation_id, prefix, state, sent, verified, until_datetime)
    values (${o}, '234803', 'slowed', 1, 0, now())`
  await db`insert into otp_counters (organisation_id, kind, key, slot) values (${o}, 'country', 'NG', now())`
  await db`
    insert into template_whatsapp (organisation_id, template_id, version, name, language, parameters)
    values (${o}, ${newId()}, 1, 'greeting', 'en', '{}')`
  await db`
    insert into request_bursts (organisation_id, id, seen, request_ids, calls, contents)
    values (${o}, ${newId()}, 1, '{r}', ${text([])}::text::jsonb, ${text([])}::text::jsonb)`
  const change = newId()
  await db`
    insert into contact_change_rows (organisation_id, change_id, row_id, cells, keys, created_datetime)
    values (${o}, ${change}, ${newId()}, '{}', '{}', now())`
  // A batch of callbacks that was being posted, and jobs as workers leave them.
  const [batch] = await db<{ id: bigint }[]>`
    insert into jobs (queue, lane, organisation_id, subject_id, leased, leased_until, attempts, run_at)
    values ('callback bursts', ${o}, ${o}, ${o}, true, now() - interval '1 minute', 1, now() + interval '1 day')
    returning id`
  await db`
    insert into callbacks (organisation_id, id, type, url, body, subject_id, burst_id)
    values (${o}, ${newId()}, 'text.delivered', 'https://example.com', '{}', ${o}, ${String(batch?.id)}),
      (${o}, ${newId()}, 'text.delivered', 'https://example.com', '{}', ${o}, 999999999)`
}

function boundTo(table: string, ...key: string[]): string {
  const column = SEALED_COLUMNS.find((one) => one.table === table)
  if (!column) throw new Error(`${table} has no sealed column`)
  return column.boundTo(...key)
}

describe.skipIf(on_cluster)('a small organisation', () => {
  let source: TestService
  let target: TestService
  /** Of an organisation of the target, which must not be affected. */
  let untouched: Record<string, string[]>
  let file: string

  beforeAll(async () => {
    source = await openService({ workers: false })
    target = await openService({ config: { pepper: OTHER_PEPPER } })
    await send(source.call, numbersOf(2), 'Hello')
    file = await exportFrom(source.database, source.id)
    untouched = await rowsOf(target.db, await idsOf(target.db, target.id))
  })
  afterAll(async () => {
    await source.close()
    await target.close()
  })

  const expectUntouched = async () =>
    expect(await rowsOf(target.db, await idsOf(target.db, target.id))).toEqual(untouched)

  /** As the owner of the key would write it. */
  function signed(frames: readonly Frame[]): Buffer {
    const key = transferKeys(readFileSync(`${file}.key`, 'utf8').trim())
    const contents = joined(frames.filter(({ kind }) => kind !== FRAMES.code))
    const code = createHmac('sha256', key!.code_key).update(contents).digest()
    return gzipSync(Buffer.concat([contents, frame('code', code)]))
  }

  async function refusalOf(changed: Buffer, ...options: string[]): Promise<string> {
    const path = newFile()
    writeFileSync(path, changed)
    writeFileSync(`${path}.key`, readFileSync(`${file}.key`))
    const { code, stderr } = await restoreTo(target.database, path, ...options)
    expect(code).toBe(4)
    expect(await target.db`select 1 from organisations where id = ${source.id}`).toEqual([])
    return stderr.slice(stderr.indexOf('gangan: ')).replaceAll(path, 'FILE').trim()
  }

  test('is refused from a file that is damaged, however that is', async () => {
    const whole = readFileSync(file)
    const damaged = 'gangan: FILE is damaged or truncated: use another backup.'
    for (const part of [0.3, 0.9]) expect(await refusalOf(whole.subarray(0, whole.length * part))).toBe(damaged)
    const flipped = Buffer.from(whole)
    flipped[whole.length >> 1]! ^= 0x10
    expect(await refusalOf(flipped)).toMatch(/ is damaged or truncated| is not a backup/)
    expect(await refusalOf(Buffer.from('a text'))).toBe('gangan: FILE is not a backup of Gangan.')
    // Changed by someone without the key, who knows the format: more money.
    const frames = framesOf(gunzipSync(whole))
    expect(await refusalOf(gzipSync(joined(changedIn(frames, 'balances', '10000000', '90000000'))))).toBe(damaged)
    // Without its code.
    expect(await refusalOf(gzipSync(joined(frames.slice(0, -1))))).toBe(damaged)
    await expectUntouched()
  })

  test('is refused from a file that contradicts itself, even if its key was used to make it', async () => {
    const frames = framesOf(gunzipSync(readFileSync(file)))
    const stranger = target.id
    const smuggled = await refusalOf(signed(changedIn(frames, 'api_keys', source.id, stranger)))
    expect(smuggled).toContain('its table api_keys is missing, is not exported, or has rows of another organisation')
    expect(await refusalOf(signed(changedIn(frames, 'organisations', source.id, stranger)))).toContain(
      'its table organisations',
    )
    // An operator of the installation is a user without an organisation.
    const operator = `${newId()}\t\\N\top@example.com\top@example.com\t\\N\t\\N\t\\N\t\\N\t0\t{}\t\\N\t\\N\t2026-01-01 00:00:00+00\t\\N\towner\t\\N\t\\N\t\\N\tf\t\\N\n`
    expect(await refusalOf(signed(replaced(frames, 'users', () => operator)))).toContain('its table users')
    const begin = frames.findIndex(({ kind, text }) => kind === FRAMES.table && text.includes('"links"'))
    const secrets = frames.with(begin, { kind: FRAMES.table, text: '{"table":"secrets","columns":["name","value"]}' })
    const end = secrets.findIndex(({ text }, n) => n > begin && text.includes('"links"'))
    const renamed = secrets.with(end, { ...secrets[end]!, text: secrets[end]!.text.replace('links', 'secrets') })
    expect(await refusalOf(signed(renamed))).toContain('its table secrets')
    const unbalanced = changedIn(frames, 'balances', '\t1\tf', '\t2\tf')
    expect(await refusalOf(signed(changedIn(frames, 'ledger_lines', 'opening', 'closing')))).toContain(
      'cannot be restored',
    )
    expect(await refusalOf(signed(unbalanced), '--accept-faults')).toMatch(/cannot be restored|damaged|audit/)
    await expectUntouched()
  })

  test('is refused with another key, schema, currency or kind of file', async () => {
    const frames = framesOf(gunzipSync(readFileSync(file)))
    const withHeader = (changes: object): Buffer =>
      signed(
        frames.with(0, { kind: FRAMES.header, text: JSON.stringify({ ...JSON.parse(frames[0]!.text), ...changes }) }),
      )
    expect(await refusalOf(withHeader({ schema: 12 }))).toMatch(/has schema 12 and this installation schema \d+/)
    expect(await refusalOf(withHeader({ gangan_backup: ORGANISATION_FORMAT + 1 }))).toContain('newer release')
    expect(await refusalOf(withHeader({ organisation: { id: "x'; drop" } }))).toContain('damaged')
    const kes = { ...JSON.parse(frames[0]!.text).organisation, currency: 'KES' }
    expect(await refusalOf(withHeader({ organisation: kes }))).toContain(
      'is in KES, and this installation charges in NGN',
    )

    const other = await exportFrom(source.database, source.id)
    const with_other = await restoreTo(target.database, file, '--key', `${other}.key`)
    expect([with_other.code, with_other.stderr]).toEqual([4, expect.stringContaining('The key is not the one')])
    expect((await restoreTo(target.database, file, '--key', file)).stderr).toContain('is not the key of an export')
    expect((await restoreTo(target.database, file, '--key', 'missing')).code).toBe(3)
    expect((await runGangan(['restore', file], there(target.database))).stderr).toContain(
      'is the export of one organisation',
    )
    const backup = newFile()
    expect((await runGangan(['backup', backup], here(source.database))).code).toBe(0)
    const of_all = await restoreTo(target.database, backup, '--key', `${file}.key`)
    expect(of_all.stderr).toContain('is the backup of a whole installation')
  })

  test('is not exported over a file, nor under the id of its twin', async () => {
    const [, twin = ''] = await idsOf(source.db, source.id)
    const refused = await runGangan(['organisations', 'export', twin, newFile()], here(source.database))
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('There is no organisation')])
    const kept = readFileSync(`${file}.key`, 'utf8')
    expect((await runGangan(['organisations', 'export', source.id, file], here(source.database))).code).toBe(4)
    const again = await runGangan(
      ['organisations', 'export', source.id, file, '--key', newFile()],
      here(source.database),
    )
    expect(again.stderr).toContain('a backup does not replace files')
    expect(readFileSync(`${file}.key`, 'utf8')).toBe(kept)
  })

  test('conflicts by a number of its own, and by a short link, which is left out', async () => {
    const { db } = source
    const [mine, theirs] = [await source.organisation(), await target.organisation()]
    for (const [place, { id }] of [
      [db, mine],
      [target.db, theirs],
    ] as const) {
      await place`insert into senders (organisation_id, id, sender_id, state) values (${id}, ${newId()}, '2349000001', 'approved')`
      await place`
        insert into links (code, organisation_id, message_id, recipient, position, url)
        values ('taken', ${id}, ${newId()}, ${FAR}, 0, 'https://example.com')`
    }
    const moved = await exportFrom(source.database, mine.id)
    const refused = await restoreTo(target.database, moved)
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('senders: sender_id 2349000001')])
    await target.db`delete from senders where organisation_id = ${theirs.id}`
    expect((await restoreTo(target.database, moved)).stdout).toContain('1 short links were left out')
  })

  test('is restored completely or not at all: an aborted restore leaves nothing, and the next is complete', async () => {
    const { db } = target
    const before = await rowsOf(db, await idsOf(db, target.id))
    let aborted: ReturnType<typeof runGangan> | undefined
    await transaction(db, async (tx) => {
      await tx`lock table webhooks in access exclusive mode` // The last table of the restore.
      aborted = restoreTo(target.database, file)
      await until('the restore to wait with nearly all rows inserted, and to be ended', async () => {
        const ended = await db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%webhooks%'`
        return ended.length === 1
      })
    })
    expect((await aborted)?.code).not.toBe(0)
    for (const rows of Object.values(await rowsOf(db, await idsOf(source.db, source.id)))) expect(rows).toEqual([])
    expect(await rowsOf(db, await idsOf(db, target.id))).toEqual(before)

    expect((await restoreTo(target.database, file)).code).toBe(0)
    expect(await audit(db)).toEqual([])
  })

  test('sends nothing before it is resumed, and everything after', async () => {
    const { db } = target
    const [organisation] = await db<{ held: string }[]>`select held from organisations where id = ${source.id}`
    expect(organisation?.held).toBe('restored')
    const by = caller(target.url, source.key)
    expect((await by('POST', '/sms/send', { recipients: FAR, content: 'x' })).status).toBe(403)
    // A message of another organisation, accepted later, takes the same route.
    const { body } = await target.call<{ id: string }>('POST', '/sms/send', { recipients: FAR, content: 'overtakes' })
    const arrived = (id: string) => db`select 1 from sandbox_messages where organisation_id = ${id}`
    await until(
      'it to arrive',
      async () => (await db`select 1 from sandbox_messages where message_id = ${body.id}`).length > 0,
    )
    expect(await arrived(source.id)).toEqual([])
    const waits = await runGangan(['organisations', 'list'], there(target.database))
    expect(waits.stdout).toMatch(new RegExp(`${source.id}.* restored`))

    expect((await runGangan(['organisations', 'resume', source.id], there(target.database))).code).toBe(0)
    await until('the restored messages to arrive', async () => (await arrived(source.id)).length === 2)
    await until('their reports', async () => {
      const open = await db`select 1 from deliveries where organisation_id = ${source.id} and status <> 'delivered'`
      return open.length === 0
    })
    expect(await audit(db)).toEqual([])
  })
})

describe.skipIf(on_cluster)('an organisation that is moved while it sends', () => {
  test('sends every accepted message in one installation only, and its balance is exact in both', async () => {
    const settings = { routes: [{ name: 'sms', channel: 'sms', carrier: 'simulator', rate_per_s: 40 }] }
    const source = await openService({ settings, credit: 100_000 })
    const target = await openService({ settings, config: { pepper: OTHER_PEPPER } })
    const accepted: string[] = []
    const statuses = new Set<number>()
    let going = true
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const senders = Array.from({ length: 4 }, async (_, n) => {
      for (let i = 0; going; i += 1) {
        const body = { recipients: numbersOf(3), content: `${n} ${i}`, ...(i % 5 === 0 ? { send_at: later } : {}) }
        const { status, body: answer } = await source.call<{ id: string }>('POST', '/sms/send', body)
        statuses.add(status)
        if (status === 200) accepted.push(answer.id)
        else break
      }
    })
    await until('a backlog', () => accepted.length > 60)
    const file = await exportFrom(source.database, source.id, '--close')
    going = false
    await Promise.all(senders)
    expect([...statuses].sort()).toEqual([200, 403])

    const shown = async ({ db }: TestService) =>
      db<{ key: string }[]>`
        select message_id || ' ' || recipient as key from sandbox_messages where organisation_id = ${source.id} order by 1`
    const sent_here = (await shown(source)).map(({ key }) => key)
    const resumed = await runGangan(['organisations', 'resume', source.id], here(source.database))
    expect([resumed.code, resumed.stderr]).toEqual([4, expect.stringContaining('It was exported to be moved')])

    expect(await restoreTo(target.database, file)).toMatchObject({ code: 0 })
    expect((await shown(target)).map(({ key }) => key)).toEqual(sent_here)
    expect((await runGangan(['organisations', 'resume', source.id], there(target.database))).code).toBe(0)
    const ids = await target.db<{ id: string }[]>`select id from messages where organisation_id = ${source.id}
      union select message.id from intake cross join lateral messages_in(messages) message where organisation_id = ${source.id}`
    expect(new Set(ids.map(({ id }) => id))).toEqual(new Set(accepted))
    await until('everything to be sent', async () => {
      const left = await target.db`
        select 1 from intake where organisation_id = ${source.id}
        union all select 1 from deliveries where organisation_id = ${source.id} and status in ('queued', 'sent')`
      return left.length === 0
    })
    const scheduled = await target.db<{ key: string }[]>`
      select message_id || ' ' || recipient as key from deliveries
      where organisation_id = ${source.id} and status = 'scheduled' order by 1`
    expect(scheduled.length).toBeGreaterThan(0)
    // Every recipient of an accepted message once: sent before, sent after, or scheduled.
    const in_target = (await shown(target)).map(({ key }) => key)
    expect([...in_target, ...scheduled.map(({ key }) => key)].sort()).toEqual(
      accepted.flatMap((id) => numbersOf(3).map((recipient) => `${id} ${recipient}`)).sort(),
    )
    expect(in_target.length).toBeGreaterThan(sent_here.length)
    // And nothing has left the source since.
    expect((await shown(source)).map(({ key }) => key)).toEqual(sent_here)
    expect(await audit(source.db)).toEqual([])
    expect(await audit(target.db)).toEqual([])

    // A move that is abandoned: the source goes on.
    const back = await runGangan(['organisations', 'resume', source.id, '--abandon-move'], here(source.database))
    expect(back.code).toBe(0)
    await until('the source to send', async () => (await shown(source)).length > sent_here.length)
    await source.close()
    await target.close()
  })
})

test.runIf(on_cluster)('a cluster is refused with the reason', async () => {
  const service = await openService()
  const refused = await runGangan(['organisations', 'export', service.id, newFile()], here(service.database))
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('no common snapshot')])
  await service.close()
})

type Frame = { kind: string; text: string }

function framesOf(contents: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < contents.length;) {
    const length = contents.readUInt32BE(at + 1)
    frames.push({
      kind: contents.toString('latin1', at, at + 1),
      text: contents.toString('latin1', at + 5, at + 5 + length),
    })
    at += 5 + length
  }
  return frames
}

function joined(frames: readonly Frame[]): Buffer {
  const kinds = Object.entries(FRAMES) as [FrameKind, string][]
  return Buffer.concat(
    frames.map(({ kind, text }) => frame(kinds.find(([, code]) => code === kind)![0], Buffer.from(text, 'latin1'))),
  )
}

/** With the rows of a table replaced, and its checksum and the sums with them. */
function replaced(frames: readonly Frame[], table: string, change: (rows: string) => string): Frame[] {
  const begin = frames.findIndex(({ kind, text }) => kind === FRAMES.table && JSON.parse(text).table === table)
  const end = frames.findIndex(({ kind }, n) => n > begin && kind === FRAMES.table_end)
  const was = JSON.parse(frames[end]!.text)
  const rows = change(
    frames
      .slice(begin + 1, end)
      .map(({ text }) => text)
      .join(''),
  )
  const count = rows.split('\n').length - 1
  const now = {
    ...was,
    rows: count,
    bytes: rows.length,
    sha256: createHash('sha256').update(rows, 'latin1').digest('hex'),
  }
  return [
    ...frames.slice(0, begin + 1),
    ...(rows === '' ? [] : [{ kind: FRAMES.data, text: rows }]),
    { kind: FRAMES.table_end, text: JSON.stringify(now) },
    ...frames.slice(end + 1).map((one) => {
      if (one.kind !== FRAMES.summary) return one
      const summary = JSON.parse(one.text)
      return { ...one, text: JSON.stringify({ ...summary, rows: summary.rows - was.rows + count }) }
    }),
  ]
}

function changedIn(frames: readonly Frame[], table: string, from: string, to: string): Frame[] {
  return replaced(frames, table, (rows) => {
    expect(rows).toContain(from)
    return rows.replaceAll(from, to)
  })
}
