import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectBeside } from '../../src/db/connect.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeAuthenticate } from '../../src/organisations/authenticate.ts'
import { noteStatements } from '../support/statements.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

describe('authenticating', () => {
  test('caches a key for less than a second, and reads it again after that', async () => {
    let clock = 1_000_000
    const authenticate = makeAuthenticate({ db: service.db }, () => clock)
    const by = await service.organisation()
    expect(await authenticate(by.key)).toMatchObject({ organisation_id: by.id })
    await service.db`update api_keys set revoked_datetime = now() where organisation_id = ${by.id}`
    clock += 300
    expect(authenticate(by.key)).toMatchObject({ organisation_id: by.id }) // Synchronously, without a promise.
    clock += 700
    await expect(authenticate(by.key)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('refreshes it in the background before that, so that a busy key never waits', async () => {
    let clock = 1_000_000
    const authenticate = makeAuthenticate({ db: service.db }, () => clock)
    const by = await service.organisation()
    await authenticate(by.key)
    await service.db`update api_keys set revoked_datetime = now() where organisation_id = ${by.id}`
    clock += 500
    expect(authenticate(by.key)).toMatchObject({ organisation_id: by.id })
    await expect
      .poll(async () => {
        try {
          await authenticate(by.key)
          return 'admitted'
        } catch (fault) {
          return (fault as { code: string }).code
        }
      })
      .toBe('unauthenticated')
  })

  test('asks for all keys that are due in one statement, and each gets its own caller', async () => {
    let clock = 1_000_000
    const db = connectBeside(service.db, { plans: 'kept' })
    const asked = noteStatements(db)
    const lookups = () => asked.filter((text) => text.includes('from unnest') && text.includes('api_keys')).length
    const authenticate = makeAuthenticate({ db }, () => clock)
    const [one, other, revoked] = [
      await service.organisation(),
      await service.organisation(),
      await service.organisation(),
    ]
    const keys = [one.key, other.key, revoked.key]
    try {
      for (const key of keys) await authenticate(key)
      await service.db`update api_keys set revoked_datetime = now() where organisation_id = ${revoked.id}`
      const before = lookups()
      clock += 500
      for (const key of keys) expect(authenticate(key)).not.toBeInstanceOf(Promise)
      clock += 400
      await expect
        .poll(async () => (async () => authenticate(revoked.key))().catch(() => 'refused'), { timeout: 10_000 })
        .toBe('refused')
      expect(lookups()).toBe(before + 1)
      expect(authenticate(one.key)).toMatchObject({ organisation_id: one.id })
      expect(authenticate(other.key)).toMatchObject({ organisation_id: other.id })
    } finally {
      await db.end()
    }
  })

  test('stores when a key was used, once a minute', async () => {
    let clock = 1_000_000
    const authenticate = makeAuthenticate({ db: service.db }, () => clock)
    const by = await service.organisation()
    const used = async () => {
      const [row] = await service.db<{ last_used_datetime: string | null; ago_s: number }[]>`
        select last_used_datetime, extract(epoch from now() - last_used_datetime)::float8 as ago_s
        from api_keys where organisation_id = ${by.id}`
      return row
    }
    expect((await used())?.last_used_datetime).toBeNull()
    await authenticate(by.key)
    await expect.poll(async () => (await used())?.last_used_datetime).not.toBeNull()
    // As if it had been a while ago: this process does not store it again until a minute has passed.
    await service.db`
      update api_keys set last_used_datetime = now() - interval '1 hour' where organisation_id = ${by.id}`
    clock += 30_000
    await authenticate(by.key)
    clock += 40_000
    await authenticate(by.key)
    await expect.poll(async () => (await used())?.ago_s).toBeLessThan(3_000)
  })

  test('reads once for any number of waiting requests', async () => {
    const authenticate = makeAuthenticate({ db: service.db })
    const by = await service.organisation()
    const callers = await Promise.all(Array.from({ length: 50 }, async () => authenticate(by.key)))
    expect(new Set(callers).size).toBe(1)
  })
})
