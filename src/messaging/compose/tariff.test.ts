import { describe, expect, test } from 'vitest'
import { readPrefixTable } from '../../numbers/prefix-table.ts'
import { makePageForm, ONE_PAGE, STANDARD_PAGES } from '../../values/sms/page-form.ts'
import type { PriceSettings, RouteSettings } from '../settings.ts'
import { makePriceTable, makeRouteTable, makeTariff, onlyRoute } from './tariff.ts'

const { originOf } = readPrefixTable()
const MTN = '2348031234567'
const GLO = '2348051234567'
const KENYA = '254722123456'

function priced(...lines: Partial<PriceSettings>[]) {
  const prices = lines.map((line) => ({ channel: 'sms' as const, prefix: '', price: 0, ...line }))
  const { price, namesOperator } = makePriceTable(prices, originOf)
  return { price: (...asked: Parameters<typeof price>) => price(...asked)?.per_page, namesOperator }
}

function routed(...lines: Partial<RouteSettings>[]) {
  const routes = lines.map((line) => ({
    name: 'x',
    channel: 'sms' as const,
    prefix: '',
    class: 'transactional' as const,
    carrier: 'c',
    ...line,
  }))
  return makeRouteTable(routes, originOf)
}

describe('a price', () => {
  test('is that of the longest prefix, whatever else lines name', () => {
    const { price } = priced(
      { price: 9 },
      { prefix: '234', price: 4 },
      { operator: 'MTN', price: 3 },
      { prefix: '234803', price: 2 },
    )
    expect([MTN, GLO, KENYA].map((msisdn) => price('sms', msisdn))).toEqual([20_000n, 40_000n, 90_000n])
    expect(price('whatsapp', MTN)).toBeUndefined()
  })

  test('of lines with the same prefix names the operator, then the country, then the class', () => {
    const { price } = priced(
      { country: 'NG', operator: 'mtn', price: 1 },
      { operator: 'MTN', price: 2 },
      { country: 'NG', class: 'promotional', price: 3 },
      { country: 'NG', price: 4 },
      { class: 'promotional', price: 5 },
      { price: 6 },
    )
    expect(price('sms', MTN)).toBe(10_000n)
    expect(price('sms', KENYA, { operator: 'MTN' })).toBe(20_000n)
    expect(price('sms', GLO, { route_class: 'promotional' })).toBe(30_000n)
    expect(price('sms', GLO)).toBe(40_000n)
    expect(price('sms', KENYA, { route_class: 'promotional' })).toBe(50_000n)
    expect(price('sms', KENYA)).toBe(60_000n)
  })

  test('follows a ported number to its present operator', () => {
    const { price, namesOperator } = priced({ price: 4 }, { operator: 'Glo', price: 7 })
    expect(price('sms', MTN)).toBe(40_000n)
    expect(price('sms', MTN, { operator: 'Glo' })).toBe(70_000n)
    expect(price('sms', GLO, { operator: 'MTN' })).toBe(40_000n)
    expect([namesOperator('sms'), namesOperator('whatsapp')]).toEqual([true, false])
  })

  test('of two lines alike is the later one', () => {
    expect(priced({ price: 1 }, { price: 2 }).price('sms', MTN)).toBe(20_000n)
  })
})

describe('a route', () => {
  test('for promotional messages is a promotional one, or else any', () => {
    const { route } = routed({ name: 'all' }, { name: 'ads', class: 'promotional', country: 'NG' })
    expect(route('sms', MTN)).toBe('all')
    expect(route('sms', MTN, { route_class: 'promotional' })).toBe('ads')
    expect(route('sms', KENYA, { route_class: 'promotional' })).toBe('all')
  })

  test('never leads a transactional message over a promotional one', () => {
    expect(routed({ name: 'ads', class: 'promotional' }).route('sms', MTN)).toBeUndefined()
  })

  test('has the pages of its carrier, the usual ones where it says nothing', () => {
    const wide = makePageForm({ header_octets: 7 })
    const line = { channel: 'sms' as const, prefix: '', class: 'transactional' as const }
    const lines = [
      { ...line, name: 'wide', page_form: wide },
      { ...line, name: 'all' },
    ]
    const tariff = makeTariff(makePriceTable([], originOf), makeRouteTable(lines, originOf))
    expect(tariff.pageForm('sms', 'wide')).toBe(wide)
    for (const route of ['all', 'test', undefined]) expect(tariff.pageForm('sms', route)).toBe(STANDARD_PAGES)
    expect(tariff.pageForm('whatsapp', 'wide')).toBe(ONE_PAGE)
  })

  test('of test organisations is one', () => {
    expect(onlyRoute(routed({ name: 'all' }), 'test').route('sms', MTN, { route_class: 'promotional' })).toBe('test')
  })
})
