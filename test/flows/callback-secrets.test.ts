import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openCallbackSecrets, rotateCallbackSecret } from '../../src/organisations/callback-secrets.ts'
import { newSecret } from '../../src/callbacks/deliver/signature.ts'
import type { Db } from '../../src/db/connect.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Received, type Receiver } from '../support/receiver.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { until } from '../support/until.ts'

type Webhook = { id: string; secret: string }

let service: TestService
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
  service = await openService()
})
afterEach(async () => {
  await service.close()
  await receiver.close()
})

const register = async (): Promise<Webhook> =>
  (await service.call<Webhook>('POST', '/webhooks', { url: `${receiver.url}/events` })).body
const tell = (callback = `${receiver.url}/reports`) =>
  service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello', callback })
const at = (path: string) => until(`a post to ${path}`, () => receiver.received.find((one) => one.path === path))
const verify = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>)

/** Everything the database holds, as text. */
async function dump(db: Db): Promise<string> {
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = (await db.unsafe(`select t::text as text from ${name} t`)) as { text: string }[]
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}

/** As they stood before secrets were sealed. */
async function putInClear(webhook_id: string, secrets: { own: string[]; webhook: string; old: string | null }) {
  await service.db`update organisations set callback_secrets = ${secrets.own}::text[] where id = ${service.id}`
  await service.db`
    update webhooks set secret = ${secrets.webhook}, old_secret = ${secrets.old},
      old_secret_until = ${secrets.old === null ? null : new Date(Date.now() + 3_600_000)}
    where id = ${webhook_id}`
}

describe('secrets that sign callbacks', () => {
  test('are nowhere in the database in clear, and yet every post is verified', async () => {
    const { id, secret: first } = await register()
    const { body } = await service.call<Webhook>('POST', `/webhooks/${id}/rotate`, { overlap_hours: 2 })
    const [own = ''] = await openCallbackSecrets({ db: service.db, secret_seal }, service.id)
    const fresh = newSecret()
    await rotateCallbackSecret({ db: service.db, secret_seal }, service.id, fresh)
    await tell()
    const [event, report] = await Promise.all([at('/events'), at('/reports')])
    for (const secret of [first, body.secret]) verify(secret, event)
    for (const secret of [own, fresh]) verify(secret, report)
    const text = await dump(service.db)
    expect(text).toContain(id)
    for (const secret of [first, body.secret, own, fresh]) {
      expect(secret).toMatch(/^whsec_.{40}/)
      expect(text).not.toContain(secret.slice('whsec_'.length))
    }
    expect(text).not.toContain('whsec_')
  })

  test('do not open in another row', async () => {
    const [one, other] = [await register(), await register()]
    const [stored] = await service.db<{ secret: string }[]>`select secret from webhooks where id = ${one.id}`
    await service.db`update webhooks set secret = ${stored?.secret} where id = ${other.id}`
    await tell()
    const event = await at('/events')
    verify(one.secret, event)
    const failed = await until('the try of the other', async () => {
      const found = await service.call<{ callbacks: { id: string; attempts: number }[] }>(
        'GET',
        `/callbacks?webhook_id=${other.id}`,
      )
      return found.body.callbacks.find(({ attempts }) => attempts === 1)
    })
    const { attempts_log } = (
      await service.call<{ attempts_log: { reason: string }[] }>('GET', `/callbacks/${failed.id}`)
    ).body
    expect(attempts_log[0]?.reason).toMatch(/^secret: /)
    expect(receiver.received.filter(({ path }) => path === '/events')).toHaveLength(1)
  })
})

describe('secrets from before they were sealed', () => {
  test('sign as ever, and are sealed at the next start, by however many processes start', async () => {
    const { id } = await register()
    const own = [newSecret(), newSecret()]
    const [webhook, old] = [newSecret(), newSecret()]
    await putInClear(id, { own, webhook, old })
    const count = async () => (await dump(service.db)).split('whsec_').length - 1
    expect(await count()).toBe(4)

    await tell()
    verify(webhook, await at('/events'))
    const beside = await Promise.all([1, 2, 3].map(() => openService({ beside: service, workers: false })))
    expect(await count()).toBe(0)
    receiver.received.length = 0
    await tell(`${receiver.url}/again`)
    const [event, report] = await Promise.all([at('/events'), at('/again')])
    for (const secret of [webhook, old]) verify(secret, event)
    for (const secret of own) verify(secret, report)
    for (const one of beside) await one.close()
  })

  test('that were rotated between being read and being sealed are left alone', async () => {
    const { id } = await register()
    const own = [newSecret()]
    await putInClear(id, { own, webhook: newSecret(), old: null })
    const fresh = newSecret()
    const [beside, rotated] = await Promise.all([
      openService({ beside: service, workers: false }),
      service.call<Webhook>('POST', `/webhooks/${id}/rotate`, { overlap_hours: 0 }),
      rotateCallbackSecret({ db: service.db, secret_seal }, service.id, fresh),
    ])
    await tell()
    verify(rotated.body.secret, await at('/events'))
    expect(await openCallbackSecrets({ db: service.db, secret_seal }, service.id)).toEqual([fresh, ...own])
    await beside.close()
  })
})

describe('with another pepper', () => {
  test('the start says so, callbacks wait with a reason, and a rotation mends it', async () => {
    await service.close()
    service = await openService({ workers: false })
    const { id } = await register()
    const changed = await openService({ beside: service, config: { pepper: 'quite another pepper' } })
    expect(changed.log_lines.filter(({ level }) => level === 'error')).toMatchObject([
      { sentence: expect.stringContaining('sealed under another pepper'), details: { unreadable: expect.any(Number) } },
    ])
    await tell()
    const tried = await until('a try of both', async () => {
      const { body } = await service.call<{ callbacks: { id: string; attempts: number }[] }>('GET', '/callbacks')
      return body.callbacks.length === 2 && body.callbacks.every(({ attempts }) => attempts === 1) && body.callbacks
    })
    for (const one of tried) {
      const { body } = await service.call<{ status: string; attempts_log: { reason: string }[] }>(
        'GET',
        `/callbacks/${one.id}`,
      )
      expect(body.status).toBe('pending')
      expect(body.attempts_log[0]?.reason).toBe(
        'secret: The secret that signs it was sealed under another pepper: rotate it, or give the pepper back.',
      )
    }
    expect(receiver.received).toEqual([])
    const mended = await fetch(`${changed.url}/webhooks/${id}/rotate`, {
      method: 'POST',
      headers: { authorization: service.key, 'content-type': 'application/json' },
      body: '{}',
    })
    const { secret } = (await mended.json()) as Webhook
    await tell()
    verify(secret, await at('/events'))
    await changed.close()
  })
})
