import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openCallbackSecrets, rotateCallbackSecret } from '../../src/organisations/callback-secrets.ts'
import { newSecret } from '../../src/callbacks/signing/signature.ts'
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
const sendCallback = (callback = `${receiver.url}/reports`) =>
  service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello', callback })
const at = (path: string) => until(`a post to ${path}`, () => receiver.received.find((one) => one.path === path))
const verify = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>)

/** The whole content of the database, as text. */
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

describe('secrets that sign callbacks', () => {
  test('are not stored in clear, and all signatures verify', async () => {
    const { id, secret: first } = await register()
    const { body } = await service.call<Webhook>('POST', `/webhooks/${id}/rotate`, { overlap_hours: 2 })
    const [own = ''] = await openCallbackSecrets({ db: service.db, secret_seal }, service.id)
    const fresh = newSecret()
    await rotateCallbackSecret({ db: service.db, secret_seal }, service.id, fresh)
    await sendCallback()
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

  test('cannot be decrypted in another row', async () => {
    const [one, other] = [await register(), await register()]
    const [stored] = await service.db<{ secret: string }[]>`select secret from webhooks where id = ${one.id}`
    await service.db`update webhooks set secret = ${stored?.secret} where id = ${other.id}`
    await sendCallback()
    const event = await at('/events')
    verify(one.secret, event)
    const failed = await until('the attempt of the other', async () => {
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

describe('with another pepper', () => {
  test('the start logs it, callbacks wait with a reason, and a rotation of the secret fixes it', async () => {
    await service.close()
    service = await openService({ workers: false })
    const { id } = await register()
    const changed = await openService({ beside: service, config: { pepper: 'quite another pepper' } })
    expect(changed.log_lines.filter(({ level }) => level === 'error')).toMatchObject([
      { sentence: expect.stringContaining('the database was sealed under another pepper') },
      { sentence: expect.stringContaining('sealed under another pepper'), details: { unreadable: expect.any(Number) } },
    ])
    await sendCallback()
    const tried = await until('an attempt of both', async () => {
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
    await sendCallback()
    verify(secret, await at('/events'))
    await changed.close()
  })
})
