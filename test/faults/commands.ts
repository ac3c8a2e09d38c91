import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { topUp } from '../../src/billing/balance.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { until } from '../support/until.ts'
import { MESSAGE_ENDS, PRICE, PURCHASE_ENDS, REFUNDED, verdict, type Account, type Model, type Real } from './model.ts'

type Step = fc.AsyncCommand<Model, Real>

/** One action of a customer: its effect, its precondition, and how it is printed. */
function step(name: string, can: (model: Model) => boolean, run: (model: Model, real: Real) => Promise<void>): Step {
  return { check: can, run, toString: () => name }
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
const always = (): boolean => true

/** The account and its organisation, in model and service. */
function at(model: Model, real: Real, n: number) {
  const index = n % model.accounts.length
  return { account: pick(model.accounts, index), by: pick(real.organisations, index) }
}

function take(account: Account, charge: number, status: number): boolean {
  const expected = verdict(account, charge)
  const allowed = { taken: [200], refused: [402], either: [200, 402] }[expected]
  assert(allowed.includes(status), `a charge of ${charge} was answered ${status}`)
  if (status === 200) account.balance -= charge
  // A refund arrived meanwhile, so that the balance covers it.
  if (account.balance < 0) {
    account.coming_back += account.balance
    account.balance = 0
  }
  return status === 200
}

const n = fc.nat({ max: 1_000 })

const found = fc.integer({ min: 0, max: 400 }).map((credit) =>
  step(
    `found(${credit})`,
    ({ accounts }) => accounts.length < 4,
    async (model, { service, organisations }) => {
      organisations.push(await service.organisation({ credit }))
      model.accounts.push({ balance: credit, coming_back: 0, messages: [], purchases: [], otps: [], keys: [] })
    },
  ),
)

const top = fc.tuple(n, fc.integer({ min: 1, max: 300 })).map(([who, amount]) =>
  step(`topUp(${who}, ${amount})`, always, async (model, real) => {
    const { account, by } = at(model, real, who)
    await topUp({ db: real.service.db }, by.id, BigInt(amount) * 10_000n)
    account.balance += amount
  }),
)

const numbers = fc.uniqueArray(fc.constantFrom(...Object.keys(MESSAGE_ENDS)), { minLength: 1, maxLength: 4 })

type Wish = { recipients: string[]; callback: boolean; keyed: boolean }

/** The id of the message; undefined if the balance did not cover it. */
async function sendTo(
  model: Model,
  real: Real,
  who: number,
  { recipients, callback, keyed }: Wish,
): Promise<string | undefined> {
  const { account, by } = at(model, real, who)
  const body = { recipients, content: 'Hello', ...(callback ? { callback: real.receiver.url } : {}) }
  const key = `key ${(model.references += 1)}`
  const headers: Record<string, string> = keyed ? { 'idempotency-key': key } : {}
  const answer = await by.call<{ id: string; recipients: string[] }>('POST', '/sms/send', body, headers)
  if (!take(account, PRICE * recipients.length, answer.status)) return undefined
  assert.deepEqual(answer.body.recipients, recipients)
  const deliveries = recipients.map((recipient) => ({ recipient, ends: MESSAGE_ENDS[recipient] ?? 'delivered' }))
  account.messages.push({ id: answer.body.id, callback, deliveries })
  account.coming_back += PRICE * deliveries.filter(({ ends }) => REFUNDED.has(ends)).length
  if (keyed) account.keys.push({ key, body, text: answer.text })
  return answer.body.id
}

const send = fc.tuple(n, numbers, fc.boolean(), fc.boolean()).map(([who, recipients, callback, keyed]) =>
  step(`send(${who}, ${recipients.join('+')}${callback ? ', callback' : ''})`, always, async (model, real) => {
    await sendTo(model, real, who, { recipients, callback, keyed })
  }),
)

/** Many enough to be bulk, and expensive enough to be rejected sometimes. */
const CROWD = Array.from({ length: 110 }, (_, nth) => `234806${String(nth).padStart(7, '0')}`)

const campaign = fc.tuple(n, numbers, fc.boolean()).map(([who, some, keyed]) =>
  step(`campaign(${who}, ${some.join('+')})`, always, async (model, real) => {
    const { account, by } = at(model, real, who)
    await topUp({ db: real.service.db }, by.id, 300n * 10_000n)
    account.balance += 300
    const recipients = [...some, ...CROWD]
    const id = await sendTo(model, real, who, { recipients, callback: false, keyed })
    if (id === undefined) return
    // In the intake, partly submitted or recorded: no recipient is ever missing or duplicated.
    const shown = await by.call<{ recipients: string[] }>('GET', `/sms/${id}`)
    assert.deepEqual(shown.body.recipients, recipients)
  }),
)

/** The same key again: the same response, no charge; with another body a conflict. */
const repeat = fc.tuple(n, n, fc.boolean()).map(([who, which, same]) =>
  step(`repeat(${who}, ${which}, ${same})`, always, async (model, real) => {
    const { account, by } = at(model, real, who)
    if (account.keys.length === 0) return
    const { key, body, text } = pick(account.keys, which)
    const asked = same ? body : { ...body, content: 'Other' }
    const answer = await by.call('POST', '/sms/send', asked, { 'idempotency-key': key })
    assert.equal(answer.status, same ? 200 : 409)
    assert.equal(same ? answer.text : text, text)
  }),
)

const buy = fc
  .tuple(n, fc.constantFrom(...Object.keys(PURCHASE_ENDS)), fc.integer({ min: 50, max: 90 }), fc.boolean())
  .map(([who, recipient, amount, callback]) =>
    step(`buy(${who}, ${recipient}, ${amount})`, always, async (model, real) => {
      const { account, by } = at(model, real, who)
      const external_ref = `purchase ${(model.references += 1)}` // Otherwise it would be a duplicate of an earlier one.
      const body = {
        network: 'MTN',
        amount,
        recipient,
        external_ref,
        ...(callback ? { callback: real.receiver.url } : {}),
      }
      const answer = await by.call<{ id: string; status: string }>('POST', '/airtime/buy', body)
      if (!take(account, amount, answer.status)) return
      assert.equal(answer.body.status, 'pending')
      const ends = PURCHASE_ENDS[recipient] ?? ''
      account.purchases.push({ id: answer.body.id, ends, amount, callback })
      if (REFUNDED.has(ends)) account.coming_back += amount
    }),
  )

const ask = fc.tuple(n, fc.constantFrom('2348031234567', '2348000000003'), n).map(([who, recipient, digits]) =>
  step(`requestOtp(${who}, ${recipient})`, always, async (model, real) => {
    const { account, by } = at(model, real, who)
    const token = `code${1_000 + digits}`
    const answer = await by.call<{ id: string; status: number }>('POST', '/otp/request_token', { recipient, token })
    if (!take(account, PRICE, answer.status)) return
    assert.equal(answer.body.status, 1)
    const lost = MESSAGE_ENDS[recipient] === 'rejected'
    account.otps.push({ id: answer.body.id, token, status: 1, attempts: 0, lost })
    if (lost) account.coming_back += PRICE
  }),
)

const tryOtp = fc.tuple(n, n, fc.boolean()).map(([who, which, right]) =>
  step(`verifyOtp(${who}, ${which}, ${right ? 'right' : 'wrong'})`, always, async (model, real) => {
    const { account, by } = at(model, real, who)
    const open = account.otps.filter(({ lost }) => !lost)
    if (open.length === 0) return
    const otp = pick(open, which)
    const body = { id: otp.id, token: right ? otp.token : 'wrong1' }
    const answer = await by.call<{ status: number; errors?: { type: string }[] }>('POST', '/otp/verify', body)
    if (otp.status === 1) {
      otp.attempts += 1
      if (right) otp.status = 4
      else if (otp.attempts === 5) otp.status = 3
      assert.equal(answer.status, right ? 200 : 404)
      assert.equal(answer.body.errors?.[0]?.type, right ? undefined : 'invalid')
      return
    }
    assert.equal(answer.status, 404)
    assert.equal(answer.body.errors?.[0]?.type, { 3: 'max_attempts', 4: 'used', 5: 'revoked' }[otp.status])
  }),
)

const revoke = fc.tuple(n, n).map(([who, which]) =>
  step(`revokeOtp(${who}, ${which})`, always, async (model, real) => {
    const { account, by } = at(model, real, who)
    const open = account.otps.filter(({ lost }) => !lost)
    if (open.length === 0) return
    const otp = pick(open, which)
    assert.equal((await by.call('DELETE', `/otp/${otp.id}`)).status, otp.status === 4 ? 409 : 204)
    if (otp.status === 1) otp.status = 5
  }),
)

/** No organisation can read data of another. */
const trespass = fc.tuple(n, n, n).map(([who, whose, which]) =>
  step(
    `trespass(${who}, ${whose}, ${which})`,
    ({ accounts }) => accounts.length > 1,
    async (model, real) => {
      const { account: theirs } = at(model, real, whose)
      const { by } = at(model, real, whose + 1 + (who % (model.accounts.length - 1)))
      const ids = [
        ...theirs.messages.map(({ id }) => `/sms/${id}`),
        ...theirs.purchases.map(({ id }) => `/airtime/${id}`),
        ...theirs.otps.map(({ id }) => `/otp/${id}`),
      ]
      if (ids.length > 0) assert.equal((await by.call('GET', pick(ids, which))).status, 404)
    },
  ),
)

/** A carrier reports again, late: only `delivered` after `expired` changes the status. */
const report = fc
  .tuple(n, n, fc.constantFrom('delivered', 'undelivered', 'expired', 'rejected'))
  .map(([who, which, status]) =>
    step(`lateReport(${who}, ${which}, ${status})`, always, async (model, real) => {
      const { account, by } = at(model, real, who)
      if (account.messages.length === 0) return
      const message = pick(account.messages, which)
      const delivery = pick(message.deliveries, which)
      if (delivery.ends === 'rejected') return // Never submitted: there is nothing to report on.
      const { db } = real.service
      const known = await until('the end of a delivery', async () => {
        const [row] = await db<{ status: string }[]>`
          select status from deliveries
          where organisation_id = ${by.id} and message_id = ${message.id} and recipient = ${delivery.recipient}`
        return row?.status === delivery.ends
      })
      assert.equal(known, true)
      const [submission] = await db<{ carrier: string; carrier_message_id: string }[]>`
        select carrier, carrier_message_id from submissions
        where message_id = ${message.id} and recipient = ${delivery.recipient}`
      if (!submission) return
      const wakeups = { wake() {}, onWake: () => () => {}, close: async () => {} }
      const said = { ...submission, status: status as 'delivered', code: '000', description: 'late' }
      await makeReceiveReports({ db, wakeups })([said])
      if (delivery.ends === 'expired' && status === 'delivered') delivery.ends = 'delivered'
    }),
  )

/** All actions, weighted so that most sequences have effects. */
export const STEPS = [
  found,
  top,
  send,
  send,
  send,
  campaign,
  repeat,
  buy,
  buy,
  ask,
  tryOtp,
  tryOtp,
  revoke,
  trespass,
  report,
]
