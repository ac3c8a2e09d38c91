import { beforeEach, describe, expect, test } from 'vitest'
import { makeWhatsappRules } from '../../carriers/whatsapp/rules.ts'
import { connect } from '../../db/connect.ts'
import type { Known } from '../../numbers/known-store.ts'
import { readPrefixTable } from '../../numbers/prefix-table.ts'
import { compose } from './compose.ts'
import type { Draft } from '../draft.ts'
import type { SendBody } from '../schema.ts'
import type { PriceSettings } from '../settings.ts'
import { makePriceTable, makeRouteTable, makeTariff } from './tariff.ts'

const table = readPrefixTable()
const sender = {
  organisation_id: 'o',
  mode: 'live' as const,
  default_country: 'NG',
  default_sender_id: 'Gangan',
  quiet_from: null,
  quiet_until: null,
  has_optouts: true,
  approved_senders: [],
  smart_encoding: false,
  price_list_id: null,
}
const route = { name: 'all', channel: 'sms' as const, prefix: '', class: 'transactional' as const, carrier: 'c' }
const plain: PriceSettings = { channel: 'sms', prefix: '', price: 4 }
const recipients = Array.from({ length: 10_000 }, (_, n) => String(2_348_030_000_000 + n))

let questions: (readonly string[])[] = []
let opted_out: ReadonlySet<string> = new Set()
beforeEach(() => {
  questions = []
  opted_out = new Set()
})

function find(msisdns: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  questions.push(msisdns)
  return Promise.resolve(new Map())
}

/** Nothing listens here: a message without template and links needs no database. */
const askNothing = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' })

async function draft(body: Partial<SendBody>, prices: PriceSettings[] = [plain], of: object = {}): Promise<Draft> {
  const deps = {
    db: askNothing,
    whatsapp: makeWhatsappRules({ db: askNothing }, [], [], []),
    public_url: 'https://sms.example',
    tariffOf: () => makeTariff(makePriceTable(prices, table.originOf), makeRouteTable([route], table.originOf)),
    address_mode: { private_allowed: true },
    sandbox: true,
    dnd: 'transactional' as const,
    isBlocked: () => false,
    numbers: { table, spellOperator: (name: string) => name, find },
    findOptedOut: () => Promise.resolve(opted_out),
  }
  return compose(deps, { ...sender, ...of }, { content: 'x', recipients, ...body }, [])
}

describe('a message to ten thousand', () => {
  test('asks nothing about them when it makes no difference', async () => {
    expect((await draft({})).charge).toBe(400_000_000n)
    expect(questions).toHaveLength(0)
  })

  test('asks about all of them at once when a price names an operator', async () => {
    const { charge } = await draft({}, [plain, { channel: 'sms', prefix: '', operator: 'MTN', price: 1 }])
    expect(charge).toBe(100_000_000n)
    expect(questions.map(({ length }) => length)).toEqual([10_000])
  })

  test('asks about all of them at once when it is promotional', async () => {
    await draft({ route_class: 'promotional' })
    expect(questions.map(({ length }) => length)).toEqual([10_000])
  })

  test.each(['promotional', 'transactional'])(
    'never goes to those who opted out when it is %s',
    async (route_class) => {
      opted_out = new Set(recipients.slice(0, 2))
      const { charge, deliveries } = await draft({ route_class })
      expect(deliveries.slice(0, 3).map((delivery) => delivery.route)).toEqual([
        'refused:opted_out',
        'refused:opted_out',
        'all',
      ])
      expect(charge).toBe(9_998n * 40_000n)
    },
  )

  test('does not query opt-outs if the organisation has none', async () => {
    opted_out = new Set(recipients)
    expect((await draft({}, [plain], { has_optouts: false })).charge).toBe(400_000_000n)
  })
})
