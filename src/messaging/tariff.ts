import type { Channel } from '../carriers/message-carrier.ts'
import { moneyFromNumber } from '../values/money.ts'
import type { PriceSettings, RouteSettings } from './schema.ts'

/** What a number costs per page, and which route its messages take. */
export type Tariff = {
  price: (channel: Channel, recipient: string) => bigint | undefined
  route: (channel: Channel, recipient: string) => string | undefined
}

export function makeTariff(prices: readonly PriceSettings[], routes: readonly RouteSettings[]): Tariff {
  const price = longestPrefix(prices, ({ price }) => moneyFromNumber(price) ?? 0n)
  const route = longestPrefix(routes, ({ name }) => name)
  return { price, route }
}

/** Test organisations pay the same, but everything of theirs takes one route, to the simulator. */
export function onlyRoute(tariff: Tariff, route: string): Tariff {
  return { price: tariff.price, route: () => route }
}

type Line = { channel: Channel; prefix: string }

function longestPrefix<L extends Line, V>(
  lines: readonly L[],
  valueOf: (line: L) => V,
): (channel: Channel, recipient: string) => V | undefined {
  const tables = new Map<Channel, { lengths: number[]; values: Map<string, V> }>()
  for (const line of lines) {
    const table = tables.get(line.channel) ?? { lengths: [], values: new Map<string, V>() }
    tables.set(line.channel, table)
    table.values.set(line.prefix, valueOf(line))
    if (!table.lengths.includes(line.prefix.length)) table.lengths.push(line.prefix.length)
    table.lengths.sort((a, b) => b - a)
  }
  return (channel, recipient) => {
    const table = tables.get(channel)
    for (const length of table?.lengths ?? []) {
      const value = table?.values.get(recipient.slice(0, length))
      if (value !== undefined) return value
    }
    return undefined
  }
}
