import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../test/support/service.ts'
import { makeAuthenticate } from './authenticate.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

describe('authenticating', () => {
  test('remembers a key for less than a second, and asks again after that', async () => {
    let clock = 1_000_000
    const authenticate = makeAuthenticate({ db: service.db }, () => clock)
    const by = await service.organisation()
    expect(await authenticate(by.key)).toMatchObject({ organisation_id: by.id })
    await service.db`update api_keys set revoked_datetime = now() where organisation_id = ${by.id}`
    clock += 300
    expect(authenticate(by.key)).toMatchObject({ organisation_id: by.id }) // at once, without a promise
    clock += 700
    await expect(authenticate(by.key)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('asks in the background before that, so that a busy key never waits', async () => {
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

  test('asks once for any number of requests that wait', async () => {
    const authenticate = makeAuthenticate({ db: service.db })
    const by = await service.organisation()
    const callers = await Promise.all(Array.from({ length: 50 }, async () => authenticate(by.key)))
    expect(new Set(callers).size).toBe(1)
  })
})
