import { readdirSync, readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'

/** What was there before that build was never distributed. */
const on_cluster = inject('cluster') !== undefined

const FOLDER = new URL('../../migrations/', import.meta.url)
const BEFORE = '0008'

test.skipIf(on_cluster)(
  'organisations that were there before senders were registered go on sending as they did',
  async () => {
    const database = await freshDatabase()
    const { db } = database
    await db.unsafe('drop schema public cascade; create schema public')
    const files = readdirSync(FOLDER).sort()
    for (const file of files.filter((name) => name < BEFORE))
      await db.unsafe(readFileSync(new URL(file, FOLDER), 'utf8'))
    const insert = async (id: number, sender: string | null, twin_of: number | null = null) => {
      const uuid = (n: number | null) => n && `00000000-0000-7000-8000-00000000000${n}`
      await db`
      insert into organisations
        (id, name, mode, twin_of, default_country, default_sender_id, currency, callback_secrets, created_datetime)
      values (${uuid(id)}, 'Old', ${twin_of === null ? 'live' : 'test'}, ${uuid(twin_of)}, 'NG', ${sender}, 'NGN',
        array['whsec_x'], now() - ${10 - id} * interval '1 day')`
    }
    await insert(1, 'Shop')
    await insert(2, 'Shop', 1)
    await insert(3, '33445')
    await insert(4, '33445')
    await insert(5, null)
    for (const file of files.filter((name) => name >= BEFORE))
      await db.unsafe(readFileSync(new URL(file, FOLDER), 'utf8'))
    const rows = await db<{ organisation_id: string; sender_id: string; state: string }[]>`
    select organisation_id, sender_id, state from senders order by organisation_id`
    expect(rows.map((row) => `${row.organisation_id.at(-1)} ${row.sender_id} ${row.state}`)).toEqual([
      '1 Shop approved',
      '3 33445 approved',
      '4 33445 pending',
    ])
    await database.drop()
  },
)
