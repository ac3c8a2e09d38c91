import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '../../src/db/connect.ts'
import { findRunningEmbedded } from '../../src/db/embedded/start.ts'
import { pepperKeys, readKeys } from '../../src/otp/pepper.ts'
import { sealSecret } from '../../src/callbacks/signing/secrets.ts'
import { newId } from '../../src/values/id.ts'
import { makeSecretSeal } from '../../src/values/secrets/secret-seal.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const WEBHOOKS = scale(3_000, 30_000)
const OLD = 'the pepper that has been there'
const NEW = 'the pepper that comes after it'
const RECIPIENT = '08031234567'
const TOKEN = '4821'

const old_keys = pepperKeys(OLD)
const seals = { old: makeSecretSeal(old_keys.secret_key), new: makeSecretSeal(pepperKeys(NEW).secret_key) }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan
let key: string
const both = (): Record<string, string> => ({ ...withPepper(NEW), GANGAN_PEPPER_PREVIOUS: OLD })
const withPepper = (pepper: string): Record<string, string> => ({ GANGAN_DATA: folder.path, GANGAN_PEPPER: pepper })

beforeAll(async () => {
  folder = await temporaryFolder()
  gangan = await startGangan(withPepper(OLD))
  key = gangan.key ?? ''
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await folder.remove()
})

async function inDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const address = await findRunningEmbedded(folder.path)
  if (!address) throw new Error('PostgreSQL is not running')
  const db = connect(address, { connections: 1 })
  try {
    return await work(db)
  } finally {
    await db.end({ timeout: 1 })
  }
}

type Stored = { organisation_id: string; id: string; secret: string }

const readSecrets = () =>
  inDatabase(async (db) => db<Stored[]>`select organisation_id, id, secret from webhooks order by organisation_id, id`)

/** Under which peppers each secret opens. */
function countBy(stored: readonly Stored[]) {
  const counts = { old: 0, new: 0, none: 0 }
  for (const { organisation_id, id, secret } of stored) {
    const place = `webhook ${organisation_id} ${id}`
    const opens = (['old', 'new'] as const).find((name) => seals[name].open(secret, place) === `whsec_${id}`)
    counts[opens ?? 'none'] += 1
  }
  return counts
}

test('the pepper is rotated while the service runs; a kill in the middle leaves every secret readable, and it is continued', async () => {
  const secret_before = (await runGangan(['callbacks', 'secret'], withPepper(OLD))).stdout
  await inDatabase(async (db) => {
    const [{ id: organisation_id } = { id: '' }] = await db<{ id: string }[]>`select id from organisations limit 1`
    const ids = Array.from({ length: WEBHOOKS }, () => newId())
    const secrets = ids.map((id) => sealSecret(seals.old, organisation_id, id, `whsec_${id}`))
    await db`
      insert into webhooks (organisation_id, id, url, secret)
      select ${organisation_id}, id, 'https://example.com', secret
      from unnest(${ids}::uuid[], ${secrets}::text[]) as given (id, secret)`
  })
  const call = () => caller(gangan.url, key)
  const numbers = { test_numbers: [{ recipient: RECIPIENT, token: TOKEN }] }
  expect((await call()('PATCH', '/otp/settings', numbers)).status).toBe(200)
  const asked = await call()<{ id: string }>('POST', '/otp/request_token', { recipient: RECIPIENT })
  expect(asked.status).toBe(200)
  expect(await gangan.end('SIGTERM')).toBe(0)

  gangan = await startGangan(both())
  const begun = await until('some secrets to be sealed again', async () => {
    const counts = countBy(await readSecrets())
    return counts.new > 0 && counts
  })
  await gangan.end('SIGKILL')
  gangan = await startGangan({ ...both(), GANGAN_LOG: 'info' })
  const killed = countBy(await readSecrets())
  expect(killed.none).toBe(0)
  expect(begun.old).toBeGreaterThan(0)

  const verified = await call()('POST', '/otp/verify', { id: asked.body.id, token: TOKEN })
  expect(verified.status).toBe(200)
  const again = await call()<{ id: string }>('POST', '/otp/request_token', { recipient: RECIPIENT })
  expect((await call()('POST', '/otp/verify', { id: again.body.id, token: TOKEN })).status).toBe(200)

  await until('all of them', async () => countBy(await readSecrets()).new === WEBHOOKS, 120_000)
  const waiting = await runGangan(['pepper'], both())
  expect(waiting).toMatchObject({
    code: 10,
    stdout: expect.stringContaining('One-time passwords of before may be open'),
  })
  await inDatabase(
    async (db) => db`update secrets set created_datetime = now() - interval '3 hours' where name = 'pepper_mark'`,
  )
  const done = await runGangan(['pepper'], both())
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing depends on the previous pepper') })

  // The previous pepper is gone for good.
  expect(await gangan.end('SIGTERM')).toBe(0)
  gangan = await startGangan({ ...withPepper(NEW), GANGAN_LOG: 'error' })
  expect(gangan.output()).not.toContain('were sealed under another pepper')
  expect((await runGangan(['callbacks', 'secret'], withPepper(NEW))).stdout).toBe(secret_before)
  const source = { pepper: NEW, previous_pepper: undefined, database_url: undefined, data_dir: folder.path }
  const keys = await inDatabase((db) => readKeys({ db }, source))
  expect([keys.smpp_key, keys.auth_token_key, keys.person_key]).toEqual([
    old_keys.smpp_key,
    old_keys.auth_token_key,
    old_keys.person_key,
  ])
  const last = await call()<{ id: string }>('POST', '/otp/request_token', { recipient: RECIPIENT })
  expect((await call()('POST', '/otp/verify', { id: last.body.id, token: TOKEN })).status).toBe(200)
  note({
    promise: 'the pepper is rotated while the service runs',
    figure: `killed with ${count(killed.new)} of ${count(WEBHOOKS)} secrets sealed again: every secret opened, an open one-time password was verified, and the next start continued`,
    goal: 'none lost',
    met: true,
  })
})
