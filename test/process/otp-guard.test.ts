import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { runGangan } from '../support/process.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
  await service.db`
    insert into otp_guard (organisation_id, prefix, state, sent, verified, until_datetime)
    values (${service.id}, '234803123', 'blocked', 80, 3, now() + interval '1 hour'),
      (${service.id}, '234803124', 'blocked', 80, 3, now() - interval '1 minute')`
})
afterAll(() => service.close())

test('gangan otp guard lists blocked prefixes, and lifts a block', async () => {
  const env = { DATABASE_URL: service.database.url }
  const list = await runGangan(['otp', 'guard'], env)
  expect(list).toMatchObject({ code: 0, stderr: '' })
  expect(list.stdout).toMatch(new RegExp(`^${service.id}  234803123  blocked  80    3 `, 'm'))
  expect(list.stdout).not.toContain('234803124')

  const lift = ['otp', 'guard', 'lift', '234803123', '--organisation', service.id]
  expect(await runGangan(lift, env)).toMatchObject({ code: 0, stdout: 'OTPs to 234803123… are sent again.\n' })
  const again = await runGangan(lift, env)
  expect(again.code).toBe(3)
  expect(again.stderr).toBe('gangan: 234803123 is neither slowed nor blocked; gangan otp guard lists what is.\n')
  expect((await runGangan(['otp', 'guard'], env)).stdout).not.toContain('234803123')
  expect(await runGangan(['otp', 'nonsense'], env)).toMatchObject({ code: 2, stdout: '' })
})
