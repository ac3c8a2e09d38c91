import { afterAll, beforeAll, expect, test } from 'vitest'
import { findReview } from '../../src/airtime/review.ts'
import { balanceOf, buy, expectSoundMoney, hurry, readPurchase, ends } from '../support/airtime.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { runGangan } from '../support/process.ts'
import { until } from '../support/until.ts'

let service: TestService
let by: Organisation

beforeAll(async () => {
  service = await openService()
  by = await service.organisation({ credit: 1_000 })
})
afterAll(async () => {
  await expectSoundMoney(service)
  await service.close()
})

const gangan = (...args: string[]) => runGangan(args, { DATABASE_URL: service.database.url })

/** A purchase whose outcome is still unclear after a day of queries. */
async function unclear(external_ref: string): Promise<{ id: string }> {
  const bought = await buy(by, { recipient: '2348000000017', external_ref })
  await ends(by, bought, 'sent')
  await service.db`update purchase_tries set created_datetime = now() - interval '24 h' where purchase_id = ${bought.id}`
  await hurry(service, bought)
  await until('review', async () => (await findReview({ db: service.db })).some(({ id }) => id === bought.id))
  return bought
}

test('gangan airtime review lists purchases in review, and settles each once', async () => {
  const [arrived, lost] = [await unclear('a'), await unclear('b')]
  const { stdout } = await gangan('airtime', 'review')
  expect(stdout).toMatch(/^id +bought +network +recipient +amount +vendor +reference/)
  expect(stdout).toContain('simulated: no answer')

  const success = await gangan('airtime', 'review', arrived.id, 'success')
  expect(success).toMatchObject({ code: 0, stdout: `Settled ${arrived.id} as success.\n` })
  const failed = await gangan('airtime', 'review', lost.id, 'failed')
  expect(failed).toMatchObject({ code: 0, stdout: `Settled ${lost.id} as failed, 100 refunded.\n` })
  expect(await readPurchase(by, arrived)).toMatchObject({ status: 'success', meta: { charge: { refunded: false } } })
  expect(await readPurchase(by, lost)).toMatchObject({ status: 'failed', meta: { charge: { refunded: true } } })
  expect(await balanceOf(by)).toBe(900)

  const again = await gangan('airtime', 'review', lost.id, 'failed')
  expect(again.code).toBe(3)
  expect(again.stderr).toContain(`No purchase ${lost.id} is in review`)
  expect((await gangan('airtime', 'review')).stdout).not.toContain(lost.id)
  expect(await balanceOf(by)).toBe(900)
  expect((await gangan('balance', 'audit')).code).toBe(0)
}, 90_000)

test('gangan airtime prints its usage', async () => {
  for (const args of [[], ['review', 'x', 'perhaps']]) {
    const { code, stderr } = await gangan('airtime', ...args)
    expect(code).toBe(2)
    expect(stderr).toContain('Say gangan airtime review')
  }
}, 90_000)
