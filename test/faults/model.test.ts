import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { expectSoundMoney } from '../support/airtime.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { STEPS } from './commands.ts'
import { LEGAL, REFUNDED, type Model, type Real } from './model.ts'
import { count, note, scale } from './scale.ts'
import { everyDelivery } from '../support/every.ts'

const RUNS = scale(6, 60)
const STEPS_PER_RUN = scale(25, 60)
const BUDGET_MS = scale(40_000, 60_000)
const SEED = Number(process.env.GANGAN_SEED ?? Math.floor(Math.random() * 2 ** 31))

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService({ settings: { airtime: { requery_delays_s: [1] } } })
  receiver = await startReceiver()
  await recordMoves()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

/** Every change of status, as recorded by the database itself. */
async function recordMoves(): Promise<void> {
  await service.db.unsafe(`
    create table moves (thing text, move text, primary key (thing, move));
    create function record_move() returns trigger language plpgsql as $$
    begin
      insert into moves values (tg_argv[0], old.status || ' ' || new.status) on conflict do nothing;
      return null;
    end $$`)
  for (const table of Object.keys(LEGAL)) {
    await service.db.unsafe(`
      create trigger record_move after update of status on ${table} for each row
      when (old.status is distinct from new.status) execute function record_move('${table}')`)
  }
}

/** Invariants that hold at every moment. */
async function checkInvariants(): Promise<void> {
  await expectSoundMoney(service)
  const moves = await service.db<{ thing: string; move: string }[]>`select thing, move from moves`
  expect(moves.filter(({ thing, move }) => !LEGAL[thing]?.includes(move))).toEqual([])
  const twice = await service.db`
    select subject_id, kind, subject_key from ledger_lines
    where kind in ('message', 'airtime', 'refund')
    group by organisation_id, subject_id, kind, subject_key having count(*) > 1`
  expect(twice).toEqual([])
  const owed = await service.db`
    select 1 from deliveries
    where (status in ('failed', 'rejected')) <> refunded and charge > 0 and status <> 'queued'`
  expect(owed).toEqual([])
}

/** After all work has ended: every status as in the model, every balance exact, a callback for every end. */
async function checkEnd({ accounts }: Model, { organisations }: Real): Promise<number> {
  const expected_callbacks = new Set<string>()
  for (const [n, account] of accounts.entries()) {
    const by = organisations[n]
    if (!by) throw new Error('an account without an organisation')
    const ends = await until('rest', async () => {
      const open = await service.db`
        select 1 from jobs where organisation_id = ${by.id} and queue <> 'otp-fallback' limit 1`
      const deliveries = await service.db<{ message_id: string; recipient: string; status: string }[]>`
        select message_id, recipient, status from ${everyDelivery(service.db)} delivery where organisation_id = ${by.id}`
      const busy = deliveries.some(({ status }) => status === 'queued' || status === 'sent')
      return open.length === 0 && !busy && deliveries
    })
    const reports = await service.db`select 1 from reports limit 1`
    if (reports.length > 0)
      await until('the reports', async () => (await service.db`select 1 from reports limit 1`).length === 0)
    const status_of = new Map(ends.map((one) => [`${one.message_id} ${one.recipient}`, one.status]))
    for (const { id, deliveries, callback } of account.messages) {
      for (const { recipient, ends: end } of deliveries) {
        const settled = await until(`${recipient} to be ${end}`, async () => {
          const [row] = await service.db<{ status: string }[]>`
            select status from deliveries
            where organisation_id = ${by.id} and message_id = ${id} and recipient = ${recipient}`
          return row?.status === end && row.status
        })
        expect(status_of.has(`${id} ${recipient}`)).toBe(true)
        if (callback) expected_callbacks.add(`${id} ${recipient} text.${settled}`)
      }
    }
    for (const { id, ends: end, callback } of account.purchases) {
      const { body } = await by.call<{ status: string; recipient: string; meta: { charge: { refunded: boolean } } }>(
        'GET',
        `/airtime/${id}`,
      )
      expect(body.status).toBe(end)
      expect(body.meta.charge.refunded).toBe(REFUNDED.has(end))
      if (callback) expected_callbacks.add(`${id} ${body.recipient} airtime.${end}`)
    }
    for (const { id, status, lost } of account.otps) {
      expect((await by.call<{ status: number }>('GET', `/otp/${id}`)).body.status).toBe(lost ? 3 : status)
    }
    const { body } = await by.call<{ balance: number; entries: { balance_after: number }[] }>('GET', '/balance')
    expect(body.balance).toBe(account.balance + account.coming_back)
    expect(body.entries[0]?.balance_after ?? 0).toBe(body.balance)
  }
  const heard = new Set(receiver.received.map(({ json }) => `${json.data.id} ${json.data.recipient} ${json.type}`))
  expect([...expected_callbacks].filter((one) => !heard.has(one))).toEqual([])
  return expected_callbacks.size
}

test(
  'any sequence of customer actions has the results of the model',
  async () => {
    let steps = 0
    let callbacks = 0
    let runs = 0
    const property = fc.asyncProperty(
      fc.array(fc.oneof(...STEPS), { minLength: STEPS_PER_RUN, maxLength: STEPS_PER_RUN }),
      async (commands) => {
        const model: Model = { accounts: [], references: 1_000_000 * runs }
        const real: Real = { service, organisations: [], receiver }
        runs += 1
        for (const credit of [200, 40]) {
          real.organisations.push(await service.organisation({ credit }))
          model.accounts.push({ balance: credit, coming_back: 0, messages: [], purchases: [], otps: [], keys: [] })
        }
        // The invariants are checked after every action.
        for (const command of commands) {
          if (!command.check(model)) continue
          await command.run(model, real)
          await checkInvariants()
          steps += 1
        }
        callbacks += await checkEnd(model, real)
        await checkInvariants()
      },
    )
    // Without shrinking: seed and path are printed, and the actions; GANGAN_SEED repeats a run.
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true, interruptAfterTimeLimit: BUDGET_MS })
    expect(steps).toBeGreaterThan(RUNS)
    note({
      promise: 'the model: organisations, balance, sends, reports, refunds, airtime, OTP',
      figure: `${count(runs)} sequences, ${count(steps)} steps, invariants after each; ${count(callbacks)} callbacks for as many ends; seed ${SEED}`,
    })
  },
  BUDGET_MS + 120_000,
)
