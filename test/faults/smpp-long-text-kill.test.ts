import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freePort } from '../../bench/kannel.ts'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGangan } from '../support/process.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { caller } from '../support/service.ts'
import { tryBind, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'
import { note } from './scale.ts'

const on_cluster = inject('cluster') !== undefined

/** Killed before the send of the complete text, after it, and after it with a client that submits it again. */
const TEXTS = ['unsent', 'sent', 'submitted again'] as const
const HELD = 77

/**
 * A long text is stored with its last segment, sent, and deleted: three statements. Locks in the database stop the
 * process between them, and there it is killed; its pending statements are terminated.
 */
test.skipIf(on_cluster)(
  'killed between the last segment and the end of its send: sent once, charged once',
  async () => {
    const database = await freshDatabase()
    const { db } = database
    const folder = await temporaryFolder()
    const port = await freePort()
    const GANGAN_CONFIG = join(folder.path, 'gangan.json')
    await writeFile(GANGAN_CONFIG, JSON.stringify({ smpp_server: { port } }))
    const env = { DATABASE_URL: database.url, GANGAN_CONFIG, GANGAN_PEPPER: PEPPER }
    let gangan = await startGangan(env)
    const key = gangan.key ?? ''
    const made = await caller(gangan.url, key)<{ system_id: string; password: string }>('POST', '/smpp/accounts', {})
    const bound = () =>
      until('a bind', async () => {
        const client = await tryBind(port, made.body)
        return client.status === 0 && client
      })
    let client = await bound()

    await db.unsafe(`
    create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${HELD}); return old; end $$;
    create trigger hold before delete on smpp_long_texts for each row execute function hold()`)
    const waitingFor = async (query: string): Promise<number> => {
      const found = await db`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and ltrim(query) ilike ${query}`
      return found.length
    }
    await transaction(db, async (tx) => {
      await tx`select pg_advisory_xact_lock(${HELD})`
      for (const n of [1, 2]) void submitWhole(client, n)
      await until('two that are sent', async () => (await waitingFor('delete from smpp_long_texts%')) === 2)
      await tx`select from balances for update`
      void submitWhole(client, 0)
      await until('one that is not', async () => (await waitingFor('%')) === 3)
      await gangan.end('SIGKILL')
      // Pending statements of a dead process would still be executed once the lock is released.
      await tx`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    })
    await db.unsafe('drop trigger hold on smpp_long_texts')
    expect(await db`select 1 from smpp_long_texts`).toHaveLength(3)

    gangan = await startGangan(env)
    client = await bound()
    const again = await client.submit(segment(2, 2))
    expect(again).toMatchObject({ command_status: 0, message_id: expect.stringMatching(/-2$/) })
    await db`update smpp_long_texts set created_datetime = now() - interval '31 s'`
    await until('all to be deleted', async () => (await db`select 1 from smpp_long_texts`).length === 0)

    type Listed = { messages: { recipients: string[]; content: string; charge: number }[] }
    const { body } = await caller(gangan.url, key)<Listed>('GET', '/sms?limit=100')
    expect(body.messages.map(({ recipients, content }) => [recipients[0], content]).sort()).toEqual(
      TEXTS.map((_, n) => [numberOf(n), 'ab']),
    )
    expect(await auditMoney(db)).toEqual([])
    await until('a report of each segment', () => client.reports().length >= 6)
    note({
      promise:
        'nothing submitted is lost: killed between the last segment of a long text over SMPP and the end of its send',
      figure: `${TEXTS.join(', ')}: each stored once, charged once and reported`,
    })
    client.close()
    await gangan.end('SIGTERM')
    await folder.remove()
    await database.drop()
  },
  120_000,
)

const numberOf = (n: number) => `234803123456${n}`

function segment(text: number, n: number) {
  const octets = Buffer.from([5, 0, 3, text, 2, n, n === 1 ? 0x61 : 0x62])
  return { destination_addr: numberOf(text), esm_class: 0x40, short_message: octets }
}

async function submitWhole(client: SmppClient, text: number): Promise<void> {
  expect((await client.submit(segment(text, 1))).command_status).toBe(0)
  void client.submit(segment(text, 2))
}
