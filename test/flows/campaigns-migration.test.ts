import { readdirSync, readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { freshDatabase } from '../support/database.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
const BEFORE = '0037'

// Migrations from before the first distributed build ran on one machine.
test.skipIf(inject('cluster'))(
  'what was sent to smartlists before is a campaign: what had not begun goes, what had begun stops',
  async () => {
    const database = await freshDatabase()
    const { db } = database
    await db.unsafe('drop schema public cascade; create schema public')
    const files = readdirSync(FOLDER).sort()
    const run = async (file: string) => db.unsafe(readFileSync(new URL(file, FOLDER), 'utf8'))
    for (const file of files.filter((name) => name < BEFORE)) await run(file)
    const organisation_id = newId()
    const put = async (status: string, rows: number, accepted = rows) => {
      const id = newId()
      const message = JSON.stringify({ channel: 'sms', content: 'Hi {{Name}}', send_at: '2030-01-01T00:00:00+00:00' })
      await db`
      insert into contact_sends (organisation_id, id, smartlist_id, number, message, status, rows, accepted, charge)
      values (${organisation_id}, ${id}, ${newId()}, 3, ${message}::text::jsonb, ${status}, ${rows}, ${accepted},
        ${accepted * 40_000})`
      await db`
      insert into jobs (queue, lane, organisation_id, subject_id)
      values ('contacts:send', ${organisation_id}, ${organisation_id}, ${id})`
    }
    await put('queued', 0)
    await put('running', 500)
    await put('done', 7)
    await put('canceled', 0)
    for (const file of files.filter((name) => name >= BEFORE)) await run(file)
    const kept = await db<{ line: string }[]>`
    select status || ' ' || accepted || ' ' || charged / 10000 || ' ' || (fault is not null)::text as line
    from campaigns order by id`
    expect(kept.map(({ line }) => line)).toEqual([
      'scheduled 0 0 false',
      'canceled 500 2000 true',
      'finished 7 28 false',
      'canceled 0 0 false',
    ])
    const [waiting] = await db`
    select message, texts, is_list_send, gathered, send_at > now() as is_later from campaigns
    where status = 'scheduled'`
    expect(waiting).toEqual({
      message: { channel: 'sms' },
      texts: [{ content: 'Hi {{Name}}', share: 100 }],
      is_list_send: true,
      gathered: false,
      is_later: true,
    })
    const jobs = await db`
    select campaigns.status, jobs.queue, subject_key from jobs join campaigns on campaigns.id = subject_id
    where campaigns.status = 'scheduled' order by queue`
    expect(jobs).toEqual([
      { status: 'scheduled', queue: 'campaigns', subject_key: '1' },
      { status: 'scheduled', queue: 'campaigns:count', subject_key: '1' },
    ])
    const [old] = await db`select count(*)::integer as count from jobs where queue = 'contacts:send'`
    expect(old).toEqual({ count: 0 })
    await database.drop()
  },
)
