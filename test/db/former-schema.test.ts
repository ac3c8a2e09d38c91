import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { auditPurchases } from '../../src/airtime/audit-store.ts'
import { checkBackup, restoreBackup } from '../../src/db/backup/restore.ts'
import { writeBackup } from '../../src/db/backup/write.ts'
import { connect } from '../../src/db/connect.ts'
import { isMigrated, migrate } from '../../src/db/migrate.ts'
import { makePartitions } from '../../src/db/partitions.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { contentOf, emptyDatabase } from '../support/empty-database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { fillFormer, FORMER, FORMER_BACKUP } from '../support/former-schema.ts'
import { dumpSchema } from '../support/schema-dump.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A database of the former numbering is filled by COPY into tables that are not distributed. */
const on_cluster = inject('cluster') !== undefined
/** Written by `migrate`, or changed by the adoption. */
const CHANGED = ['migrations', 'function_files', 'builds', 'whatsapp_templates', 'backups']

const RENAMED = new Map([
  ['"in_hand":', '"leased":'],
  ['"handed":', '"submitted":'],
  ['"low_told":', '"low_notified":'],
  ['"in_no_hurry":', '"is_bulk":'],
  ['"callbacks in hand"', '"callback bursts"'],
])

/** Columns that later migrations add and fill, by table. */
const ADDED = {
  balances: ['credit_limit', 'exhausted_notified', 'uncovered'],
  analytics: ['read'],
  contact_columns: ['first_number'],
  deliveries: ['cost', 'cost_if_delivered', 'price_rule_id', 'routing'],
  contact_tables: ['version'],
  otp_settings: ['resend_after_s', 'resend_times', 'resend_when_late'],
  otps: [
    'fallback_token_hash',
    'fee_line',
    'request_fee',
    'resend_after_s',
    'resends_left',
    'resent_message_ids',
    'resent_token_hashes',
    'through_next_carrier',
    'verified_fee',
    'verified_fee_refunded',
    'verified_message_id',
  ],
  purchases: ['commission'],
  template_whatsapp: ['parts'],
}

let database: TestDatabase
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(() => database.drop())

/** Tables with rows. Those that later migrations add are empty. */
async function rowsOf(place: Pick<TestDatabase, 'db'>): Promise<[string, string][]> {
  const tables = Object.entries(await contentOf(place, RENAMED, ADDED))
  return tables.filter(([name, rows]) => !CHANGED.includes(name) && !rows.startsWith('0 '))
}

describe.skipIf(on_cluster)('a database at schema 65 of the former numbering', () => {
  test('is adopted with all rows, by one of several processes that start together', async () => {
    const { db } = database
    await fillFormer(db)
    const before = await rowsOf(database)
    expect(before.length).toBeGreaterThan(30)
    const others = [1, 2, 3].map(() => connect(database.address, { connections: 1 }))
    const applied = await Promise.all([db, ...others].map((one) => migrate(one)))
    await Promise.all(others.map((other) => other.end()))
    expect(applied.filter(([first]) => first === '0001_schema')).toHaveLength(1)
    expect(await isMigrated(db)).toBe(true)
    expect(await migrate(db)).toEqual([])
    expect(await rowsOf(database)).toEqual(before)
    expect(await db`select name, language, status from whatsapp_templates`).toHaveLength(1)
    const fresh = await freshDatabase()
    expect(await dumpSchema(db)).toBe(await dumpSchema(fresh.db))
    await fresh.drop()
    expect([...(await auditMoney(db)), ...(await auditPurchases(db))]).toEqual([])
  })

  test('is unchanged when the process dies during the adoption, and is adopted by the next', async () => {
    const { db } = database
    await fillFormer(db)
    const before = await contentOf(database)
    const dying = connect(database.address, { connections: 1 })
    await transaction(db, async (tx) => {
      await tx`select 1 from whatsapp_templates`
      const adopting = migrate(dying).catch((fault: unknown) => fault)
      await until('the adoption to wait for a lock', async () => {
        const waiting = await db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%drop column%'`
        return waiting.length > 0
      })
      expect(await adopting).toBeInstanceOf(Error)
    })
    await dying.end()
    expect(await contentOf(database)).toEqual(before)
    expect(await migrate(db)).toContain('0001_schema')
  })

  test('continues to serve: a message that was accepted before is delivered, and months get partitions', async () => {
    const { db } = database
    await fillFormer(db)
    await migrate(db)
    const partitions = await makePartitions(db)
    expect(partitions).toEqual(partitions.filter((name) => /^(messages|deliveries)_\d{4}_\d{2}$/.test(name)))
    expect(await makePartitions(db)).toEqual([])
    const service = await openService({ beside: { database } })
    const by = await service.organisation({ of: { ...service, id: FORMER.organisation_id } })
    type Message = { content: string; deliveries: { status: string }[] }
    const message = await until('the delivery', async () => {
      const { body } = await by.call<Message>('GET', `/sms/${FORMER.message_id}`)
      return body.deliveries.every(({ status }) => status === 'delivered') && body
    })
    expect(message).toMatchObject({ content: FORMER.content, deliveries: [{}, {}] })
    expect((await by.call('POST', '/sms/send', { recipients: '08031234567', content: 'New' })).status).toBe(200)
    expect(await auditMoney(db)).toEqual([])
    await service.close()
  })

  test('is rejected with the commit that upgrades it, if it is older', async () => {
    await fillFormer(database.db)
    await database.db`delete from migrations where number > 64`
    await expect(migrate(database.db)).rejects.toThrow(
      /^The database has schema 64 of the numbering before the first release.* commit 06f9fe95, then start this one\.$/,
    )
    expect(await isMigrated(database.db)).toBe(false)
  })

  test('can be backed up before it is adopted', async () => {
    const folder = await temporaryFolder()
    await fillFormer(database.db)
    const file = join(folder.path, 'before.backup.gz')
    await writeBackup(database.db, { file, pepper_mark: pepperKeys(PEPPER).pepper_mark })
    expect((await checkBackup(file)).header).toMatchObject({ gangan_backup: 1, schema: 65 })
    await database.db`delete from migrations where number > 50`
    const older = join(folder.path, 'older.backup.gz')
    await writeBackup(database.db, { file: older, pepper_mark: pepperKeys(PEPPER).pepper_mark })
    await expect(checkBackup(older)).rejects.toThrow(/older\.backup\.gz has schema 50 of .* commit 06f9fe95/)
    await folder.remove()
  })
})

describe.skipIf(on_cluster)('a backup at schema 65 of the former numbering', () => {
  test('is restored with all rows into the schema of this build', async () => {
    const { db } = database
    await restoreBackup(db, await checkBackup(FORMER_BACKUP))
    const source = await emptyDatabase()
    await fillFormer(source.db)
    expect(await rowsOf(database)).toEqual(await rowsOf(source))
    await source.drop()
    expect(await db`select name from whatsapp_templates`).toEqual([{ name: 'order' }])
    expect(await isMigrated(db)).toBe(true)
    expect(await migrate(db)).toEqual([])
    const fresh = await freshDatabase()
    expect(await dumpSchema(db)).toBe(await dumpSchema(fresh.db))
    await fresh.drop()
    expect([...(await auditMoney(db)), ...(await auditPurchases(db))]).toEqual([])
  })
})
