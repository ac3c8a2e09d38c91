import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { removeLeftBehind } from '../../src/db/backup/left-behind.ts'
import { checkBackup } from '../../src/db/backup/restore.ts'
import { writeBackup } from '../../src/db/backup/write.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { contentOf, emptyDatabase } from '../support/empty-database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { fillFormer, FORMER_BACKUP } from '../support/former-schema.ts'
import { runGangan, spawnGangan } from '../support/process.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { until } from '../support/until.ts'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const on_cluster = inject('cluster') !== undefined
const ROWS = 5_000

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let source: TestDatabase
let place: TestDatabase
const file = FORMER_BACKUP

beforeAll(async () => {
  folder = await temporaryFolder()
  source = await emptyDatabase()
  place = await emptyDatabase()
  await fillFormer(source.db)
})
afterAll(async () => {
  await source.drop()
  await place.drop()
  await folder.remove()
})

test.skipIf(on_cluster)(
  'a restore that is killed leaves nothing; the next start reports it, and the next restore is complete',
  async () => {
    const { db } = place
    const env = { DATABASE_URL: place.url, GANGAN_PEPPER: PEPPER }
    await transaction(db, async (tx) => {
      // The restore creates this table after all rows are loaded, and waits for this transaction.
      await tx.unsafe('create table function_files (held_up integer)')
      const child = spawn(process.execPath, [MAIN, 'restore', file], { env: { PATH: process.env.PATH, ...env } })
      await until(
        'the restore to be blocked with all rows loaded',
        async () => {
          const waiting = await db`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%create table if not exists function_files%'`
          return waiting.length > 0
        },
        60_000,
      )
      const other = await runGangan(['restore', file], env)
      expect(other).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('Another process is migrating or restoring'),
      })
      child.kill('SIGKILL')
      await once(child, 'exit')
      await tx.unsafe('drop table function_files')
    })
    await until('the server to detect it', async () => {
      const left = await db`
      select 1 from pg_stat_activity where datname = current_database() and query like '%function_files%'
        and pid <> pg_backend_pid() and state <> 'idle'`
      return left.length === 0
    })
    expect(Object.keys(await contentOf(place))).toEqual(['unfinished_restore'])
    for (const command of ['migrate', 'serve']) {
      const { code, stderr } = await spawnGangan([command], { ...env, PORT: '0' })
      expect([code, stderr]).toEqual([
        5,
        expect.stringContaining(
          'A restore of schema-65.backup.gz is in progress or was interrupted, and nothing of it is stored.',
        ),
      ])
    }

    const again = await runGangan(['restore', file], env)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Every balance is the sum') })
    const [was, is] = [await contentOf(source), await contentOf(place)]
    expect(is.ledger_lines).toBe(was.ledger_lines)
    expect(is.messages).toBe(was.messages)
    expect(is.backups).toBe('0 ')
    expect(is.unfinished_restore).toBeUndefined()
    expect(await auditMoney(db)).toEqual([])
    expect((await runGangan(['migrate'], env)).stdout).toBe('The schema is up to date.\n')
  },
)

test.skipIf(on_cluster)('a restore that fails leaves no marker', async () => {
  const other = await emptyDatabase()
  await other.db.unsafe('create type jobs as (one integer)') // It prevents the creation of a table of that name.
  const { code } = await runGangan(['restore', file], { DATABASE_URL: other.url, GANGAN_PEPPER: PEPPER })
  expect(code).toBe(1)
  expect(Object.keys(await contentOf(other))).toEqual([])
  await other.drop()
})

test.skipIf(on_cluster)(
  'files of a killed backup are deleted by the next one of the same name, and those of a running one are kept',
  async () => {
    const large = await freshDatabase()
    const env = { DATABASE_URL: large.url, GANGAN_PEPPER: PEPPER }
    // Enough rows to kill the process in between.
    await large.db.unsafe(`
    create table notes_of_the_operator as
    select n, (select string_agg(md5(n::text || m::text), '') from generate_series(1, 100) m) as note
    from generate_series(1, ${ROWS}) n`)
    const wanted = join(folder.path, 'by-hand.backup.gz')
    const left = () => readdirSync(folder.path).filter((name) => name.startsWith('by-hand.backup.gz.partial-'))

    const child = spawn(process.execPath, [MAIN, 'backup', wanted], { env: { PATH: process.env.PATH, ...env } })
    await until('its file', () => left().length === 1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(left()).toHaveLength(1)

    const killed = left()
    const writing = writeBackup(large.db, { file: wanted, pepper_mark: pepperKeys(PEPPER).pepper_mark })
    await until('another file', () => left().some((name) => !killed.includes(name)))
    await removeLeftBehind(large.db, wanted)
    const [living, ...others] = left()
    expect([living, others]).toEqual([expect.not.stringContaining(killed[0] ?? ''), []])
    await writing
    expect(left()).toEqual([])
    expect((await checkBackup(wanted)).summary.rows).toBeGreaterThanOrEqual(ROWS)
    await large.drop()
  },
)
