import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBalance } from '../../src/billing/store.ts'
import { makeWhatsappRules } from '../../src/carriers/whatsapp/rules.ts'
import { makeChargeSale } from '../../src/billing/charge.ts'
import { readItems } from '../../src/messaging/intake/leased-row.ts'
import { deliverySeal, splitToken } from '../../src/messaging/sealed-text.ts'
import type { Tariff } from '../../src/messaging/compose/tariff.ts'
import type { Wakeups } from '../../src/queue/wakeups.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeAcceptOtps } from '../../src/otp/accept.ts'
import type { Admission } from '../../src/otp/admission/admit.ts'
import { fallbackSeal, hashToken } from '../../src/otp/token.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { requestOtp, type RequestDeps } from '../../src/otp/request.ts'
import type { RequestBody } from '../../src/otp/schema.ts'
import { changeOtpSettings, type SettingsDeps } from '../../src/otp/settings.ts'
import { FALLBACK_QUEUE } from '../../src/otp/store.ts'
import { isId } from '../../src/values/id.ts'
import { STANDARD_PAGES } from '../../src/values/sms/page-form.ts'
import { Refusal } from '../../src/values/refusal.ts'
import { NO_FEES } from '../../src/prices/fees.ts'
import { keysOf } from '../support/secret-seal.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { OTP_SETTINGS } from '../support/otp.ts'

const ONE = '2348031234567'
const pepper_keys = keysOf('the pepper of the tests')
const seal = makeSeal(pepper_keys.seal_key)
const tariff: Tariff = {
  price: (channel) => ({ per_page: channel === 'sms' ? 4_0000n : 6_0000n, price_rule_id: null }),
  route: (channel) => `the ${channel} route`,
  pageForm: () => STANDARD_PAGES,
  namesOperator: () => false,
}
const otp_settings = { ...OTP_SETTINGS, template: '{{token}} is your {{sender}} code for {{minutes}} min.' }

let database: TestDatabase
let sender: Parameters<typeof requestOtp>[1]
let deps: RequestDeps & SettingsDeps
let noted: unknown[]
let wakes: string[]
/** Requests to the limits, and those reverted. */
let asked: { otp_id: string; recipient: string; organisation_id: string }[]
let given_back: number

const wakeups: Wakeups = {
  wake: (queue, _, detail) => void wakes.push(`${queue} ${detail}`),
  onWake: () => () => {},
  close: async () => {},
}
/** No worker in this process submits messages. */
const chargeOtps = () =>
  makeChargeSale(
    makeAcceptOtps({ db: database.db, shared_db: database.db, wakeups, submittersOf: () => [], depth: { add() {} } })
      .storeSales,
  )

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  const organisation_id = await foundOrganisation(database.db, 100_0000n)
  sender = {
    organisation_id,
    mode: 'live',
    default_country: 'NG',
    default_sender_id: 'Gangan',
    quiet_from: null,
    quiet_until: null,
    has_optouts: false,
    has_otp_settings: false,
    approved_senders: ['gangan'],
    smart_encoding: false,
    price_list_id: null,
  }
  noted = []
  wakes = []
  asked = []
  given_back = 0
  const made = makeMeters()
  deps = {
    db: database.db,
    chargeOtp: chargeOtps(),
    wakeups,
    meters: { ...made, activity: { ...made.activity, note: (...given: unknown[]) => void noted.push(given) } },
    tariffOf: () => tariff,
    feesOf: () => NO_FEES,
    seal,
    pepper_keys,
    otp_settings,
    notifyChange: () => {
      sender = { ...sender, has_otp_settings: true }
    },
    admission: {
      admit: async (by, otp) => {
        asked.push({ organisation_id: by.organisation_id, ...otp })
        return { counted_slot: '2026-11-14T23:40:00.000Z', release: async () => void (given_back += 1) }
      },
    },
    report_times: { lateAfterS: ({ longest_s }) => longest_s, stop: async () => {} },
    whatsapp: makeWhatsappRules({ db: database.db }, [], [], []),
    sandbox: false,
    isBlocked: () => false,
    limits: { takeMessages: () => undefined },
  }
})

const ask = (body: Partial<RequestBody> = {}, key?: string, text = 'the body') =>
  requestOtp(
    deps,
    sender,
    { recipient: ONE, token: '482913', ...body },
    {
      shape_faults: [],
      ...(key === undefined ? {} : { idempotency: { key, request_hash: Buffer.from(text) } }),
    },
  )
const idIn = (answer: string) => (JSON.parse(answer) as { id: string }).id
const balance = async () => (await readBalance(database.db, sender.organisation_id)).balance
const counted = async () =>
  Object.fromEntries((await deps.meters.otps.get()).values.map(({ labels, value }) => [labels.event, value]))

async function stored(id: string) {
  const [otp] = await database.db<
    {
      recipient: string
      token_hash: Buffer
      minutes: number
      counted: boolean
      fallback_channel: string | null
      fallback_message_id: string | null
      sealed_token: Buffer | null
    }[]
  >`
    select recipient, token_hash, minutes, counted_slot = '2026-11-14T23:40:00Z' as counted, fallback_channel,
      fallback_message_id, sealed_token
    from otps where organisation_id = ${sender.organisation_id} and id = ${id}`
  return otp
}

/** The message that carries it, in the intake: as it is shown, and as it will be submitted. */
async function messageOf(id: string) {
  const [row] = await database.db<{ route: string; priority: number; messages: string }[]>`
    select route, priority, messages from intake
    where organisation_id = ${sender.organisation_id} and ${id} between first_id and last_id`
  const item = readItems(row?.messages ?? '').find((one) => one.id === id)
  if (!row || !item) return undefined
  const { content, channel, sender_id, to, sealed_text, expires_in_s: in_s } = item
  const [recipient = ''] = to
  const opened = seal.open(sealed_text ?? Buffer.alloc(0), deliverySeal({ message_id: id, recipient }))
  const { route, priority } = row
  return { content, channel, sender_id, recipient, route, in_s, priority, ...splitToken(opened ?? '') }
}

async function refused(work: Promise<unknown>): Promise<string[]> {
  const fault: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(fault instanceof Refusal)) throw new Error(`was not rejected: ${String(fault)}`)
  return [fault.code, ...fault.faults.map(({ field, type, message }) => `${field} ${type}: ${message}`)]
}

describe('a token', () => {
  test('is sent in a message, charged and stored with it, sealed and hashed', async () => {
    const { answer, replayed } = await ask({ expires_in: 7 })
    expect(replayed).toBe(false)
    const id = idIn(answer)
    expect(isId(id)).toBe(true)
    expect(JSON.parse(answer)).toEqual({
      id,
      recipient: ONE,
      status: 1,
      status_desc: 'SENT',
      created_datetime: expect.any(String),
    })
    expect(await stored(id)).toEqual({
      recipient: ONE,
      token_hash: hashToken(pepper_keys.token_key, id, '482913'),
      minutes: 7,
      counted: true,
      fallback_channel: null,
      fallback_message_id: null,
      sealed_token: null,
    })
    expect(await messageOf(id)).toEqual({
      content: '****** is your Gangan code for 7 min.',
      channel: 'sms',
      sender_id: 'Gangan',
      recipient: ONE,
      route: 'the sms route',
      in_s: 420,
      priority: 0,
      text: '482913 is your Gangan code for 7 min.',
      token: '482913',
    })
    expect(await balance()).toBe(96_0000n)
    expect(asked).toEqual([{ organisation_id: sender.organisation_id, otp_id: id, recipient: ONE }])
    expect(given_back).toBe(0)
    expect(noted).toEqual([[sender.organisation_id, 'otp_sent', 1]])
    expect(wakes).toEqual([`intake:the sms route 0 ${sender.organisation_id}`])
    expect(await counted()).toEqual({ requested: 1 })
  })

  test('costs the price of its channel', async () => {
    const id = idIn((await ask({ channel: 'whatsapp' })).answer)
    expect(await messageOf(id)).toMatchObject({ channel: 'whatsapp', route: 'the whatsapp route' })
    expect(await balance()).toBe(94_0000n)
  })

  test('has the organisation’s own text, if configured', async () => {
    const own = { template: 'Code {{token}}', origin: 'example.com' }
    await changeOtpSettings(deps, sender, own, [])
    const text = 'Code 482913\n\n@example.com #482913'
    expect(await messageOf(idIn((await ask()).answer))).toMatchObject({ text })
    deps = { ...deps, otp_settings: { ...otp_settings, origin: 'other.example' } }
    expect(await messageOf(idIn((await ask()).answer))).toMatchObject({ text })
    await changeOtpSettings(deps, sender, { origin: null, template: null }, [])
    expect(await messageOf(idIn((await ask()).answer))).toMatchObject({
      text: '482913 is your Gangan code for 15 min.\n\n@other.example #482913',
    })
  })

  test('stores its other channel for the fallback, if there is one', async () => {
    await changeOtpSettings(deps, sender, { fallback_channel: 'whatsapp', fallback_after_s: 45 }, [])
    const id = idIn((await ask()).answer)
    const otp = await stored(id)
    expect(otp).toMatchObject({ fallback_channel: 'whatsapp' })
    expect(isId(otp?.fallback_message_id ?? '')).toBe(true)
    expect(seal.open(otp?.sealed_token ?? Buffer.alloc(0), fallbackSeal(id))).toBe('482913')
    const [job] = await database.db<{ in_s: number }[]>`
      select extract(epoch from run_at - otps.created_datetime)::float8 as in_s
      from jobs join otps on otps.id = subject_id and otps.organisation_id = jobs.organisation_id where queue = 'otp-fallback' and subject_id = ${id}`
    expect(job?.in_s).toBe(45)
    const same = idIn((await ask({ channel: 'whatsapp' })).answer)
    expect(await stored(same)).toMatchObject({ fallback_channel: null, sealed_token: null })
  })
})

describe('a request that is not carried out', () => {
  test('because of validation errors calls no carrier and stores nothing', async () => {
    expect(await refused(ask({ recipient: 'nonsense' }))).toEqual([
      'invalid_request',
      'recipient phone_invalid: This is not a phone number.',
    ])
    deps = { ...deps, tariffOf: () => ({ ...tariff, price: () => undefined }) }
    expect(await refused(ask())).toEqual([
      'invalid_request',
      `recipient invalid: No price is configured for ${ONE} on sms.`,
    ])
    expect(asked).toEqual([])
  })

  test('because of its sender: live mode requires an approved one', async () => {
    sender = { ...sender, approved_senders: [] }
    expect((await refused(ask()))[1]).toMatch(/^sender_id invalid: /)
    expect(asked).toEqual([])
    deps = { ...deps, sandbox: true }
    expect((await ask()).replayed).toBe(false)
  })

  test('because of a closed window on WhatsApp', async () => {
    deps = { ...deps, whatsapp: { ...deps.whatsapp, carrierOf: () => 'number' } }
    expect((await refused(ask({ channel: 'whatsapp' })))[1]).toMatch(/^channel invalid: /)
    expect((await ask()).replayed).toBe(false)
  })

  test('because of insufficient balance does not affect covered ones of the same batch', async () => {
    await changeOtpSettings(deps, sender, { fallback_channel: 'whatsapp', fallback_after_s: 45 }, [])
    // A hundred units: twenty-five at four each. The first is charged alone, the others together.
    const requests = await Promise.allSettled(Array.from({ length: 30 }, () => ask()))
    const ids = requests.flatMap((one) => (one.status === 'fulfilled' ? [idIn(one.value.answer)] : []))
    expect(ids).toHaveLength(25)
    expect(await balance()).toBe(0n)
    const [kept] = await database.db<{ otps: number; messages: number; fallbacks: number }[]>`
      select
        (select count(*)::integer from otps where organisation_id = ${sender.organisation_id}) as otps,
        (select sum(size)::integer from intake where organisation_id = ${sender.organisation_id}) as messages,
        (select count(*)::integer from jobs
          where organisation_id = ${sender.organisation_id} and queue = ${FALLBACK_QUEUE}) as fallbacks`
    expect(kept).toEqual({ otps: 25, messages: 25, fallbacks: 25 })
    expect(given_back).toBe(5)
  })

  test('because of insufficient balance is not counted', async () => {
    deps = { ...deps, tariffOf: () => ({ ...tariff, price: () => ({ per_page: 101_0000n, price_rule_id: null }) }) }
    expect((await refused(ask()))[0]).toBe('insufficient_balance')
    expect(given_back).toBe(1)
    expect(noted).toEqual([])
    expect(wakes).toEqual([])
    expect(await counted()).toEqual({})
  })

  test('because of insufficient balance has nothing to revert without limits', async () => {
    deps = {
      ...deps,
      admission: { admit: async () => undefined },
      tariffOf: () => ({ ...tariff, price: () => ({ per_page: 101_0000n, price_rule_id: null }) }),
    }
    expect((await refused(ask()))[0]).toBe('insufficient_balance')
  })
})

describe('an Idempotency-Key', () => {
  test('returns the first response again, without a check of the limits', async () => {
    const first = await ask({}, 'key')
    const again = await ask({}, 'key')
    expect(again).toEqual({ answer: first.answer, replayed: true })
    expect(asked).toHaveLength(1)
    expect(given_back).toBe(0)
    expect(noted).toHaveLength(1)
    expect(wakes).toHaveLength(1)
    expect(await counted()).toEqual({ requested: 1, replayed: 1 })
    expect(await balance()).toBe(96_0000n)
    expect((await refused(ask({}, 'key', 'another body')))[0]).toBe('idempotency_conflict')
    expect((await ask({}, 'another key')).replayed).toBe(false)
  })

  test('stores only a keyed hash of the request, which may contain a token', async () => {
    await ask({}, 'key')
    const [row] = await database.db<{ request_hash: Buffer }[]>`
      select request_hash from idempotency_keys where organisation_id = ${sender.organisation_id}`
    expect(row?.request_hash).toHaveLength(32)
    expect(row?.request_hash).not.toEqual(Buffer.from('the body'))
  })

  test('whose first request was still being charged when the second was admitted is counted once', async () => {
    const { admission } = deps
    let letIn = () => {}
    const both_asked = new Promise<void>((resolve) => (letIn = resolve))
    const admit: Admission['admit'] = async (...given) => {
      const admitted = await admission.admit(...given)
      if (asked.length === 2) letIn()
      await both_asked
      return admitted
    }
    deps = { ...deps, admission: { admit } }
    const elsewhere = { ...deps, chargeOtp: chargeOtps() }
    const idempotency = { key: 'key', request_hash: Buffer.from('the body') }
    const both = [deps, elsewhere].map((one) =>
      requestOtp(one, sender, { recipient: ONE, token: '482913' }, { shape_faults: [], idempotency }),
    )
    const receipts = await Promise.all(both)
    expect(receipts.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect(given_back).toBe(1)
  })
})

describe('a number with a fixed token', () => {
  beforeEach(async () => {
    await changeOtpSettings(deps, sender, { test_numbers: [{ recipient: ONE, token: '4829' }] }, [])
  })

  test('has a record like any other, and no message, charge or limit', async () => {
    const { answer, replayed } = await ask({ expires_in: 3 })
    expect(replayed).toBe(false)
    const id = idIn(answer)
    expect(JSON.parse(answer)).toEqual({
      id,
      recipient: ONE,
      status: 1,
      status_desc: 'SENT',
      created_datetime: expect.any(String),
    })
    expect(await stored(id)).toMatchObject({
      token_hash: hashToken(pepper_keys.token_key, id, '4829'),
      minutes: 3,
      counted: null,
    })
    expect(await messageOf(id)).toBeUndefined()
    expect(await balance()).toBe(100_0000n)
    expect(asked).toEqual([])
    expect(noted).toEqual([[sender.organisation_id, 'otp_sent', 1]])
    expect(await messageOf(idIn((await ask({ recipient: '08059876543' })).answer))).toBeDefined()
  })

  test('sealed under another pepper is rejected', async () => {
    deps = { ...deps, seal: makeSeal(pepperKeys('another').seal_key) }
    await expect(ask()).rejects.toThrow('a fixed token was sealed under another pepper: set the test numbers again')
  })

  test('is fixed for its organisation only', async () => {
    sender = { ...sender, organisation_id: await foundOrganisation(database.db, 100_0000n) }
    expect(await messageOf(idIn((await ask()).answer))).toBeDefined()
  })
})
