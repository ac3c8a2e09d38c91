import { numberFaults, numbersOf } from '../carriers/whatsapp/numbers.ts'
import type { WhatsappSettings } from '../carriers/whatsapp/schema.ts'
import { carriersOf, type RouteSettings } from '../messaging/settings.ts'
import type { CarrierSettings, FileSettings, Settings } from './settings.ts'

/**
 * Makes each WhatsApp number a carrier. For each but the first of an account there is a route beside every route to the
 * account: messages of the organisation that owns the number take it.
 */
export function withNumbers(file: FileSettings): Settings {
  const numbers = file.carriers.flatMap((carrier) => (carrier.kind === 'whatsapp_cloud' ? numbersOf(carrier) : []))
  const of_account = new Map(numbers.filter(isFirst).map((one) => [one.name, one]))
  return {
    ...file,
    carriers: file.carriers.flatMap((carrier): CarrierSettings[] =>
      carrier.kind === 'whatsapp_cloud' ? numbers.filter(({ account }) => account === carrier.name) : [carrier],
    ),
    routes: file.routes.flatMap((route) => {
      const own = carriersOf(route)
      const others = own.filter((name) => !of_account.has(name))
      const further = numbers.filter((number) => !isFirst(number) && own.includes(number.account))
      return [route, ...further.map((number) => routeOf(route, number, others))]
    }),
  }
}

function isFirst({ name, account }: WhatsappSettings): boolean {
  return name === account
}

/** A message is never sent from another number than that of its organisation, but other carriers may follow. */
function routeOf(
  { carrier: _shared, carriers: _all, ...route }: RouteSettings,
  { name, digits = '' }: WhatsappSettings,
  others: readonly string[],
): RouteSettings {
  return {
    ...route,
    name: `${route.name}-${digits}`,
    carriers: [name, ...others],
    choose: 'order',
    number: { digits, of: route.name },
  }
}

const LONGEST_NAME = 40

/** What is wrong with the numbers, and with the names that are made of them. */
export function numberConfigFaults(file: FileSettings): string[] {
  const taken = new Set<string>()
  const faults = file.carriers.flatMap((carrier, n) =>
    carrier.kind === 'whatsapp_cloud' ? numberFaults(carrier, taken).map((fault) => `carriers.${n}.${fault}`) : [],
  )
  const { carriers, routes } = withNumbers(file)
  return [...faults, ...nameFaults('carriers', file.carriers, carriers), ...nameFaults('routes', file.routes, routes)]
}

function nameFaults(key: string, given: readonly { name: string }[], all: readonly { name: string }[]): string[] {
  const names = new Set(given.map(({ name }) => name))
  const made = all.slice()
  for (const { name } of given)
    made.splice(
      made.findIndex((one) => one.name === name),
      1,
    )
  return made.flatMap(({ name }) => {
    if (name.length > LONGEST_NAME)
      return [`${key}: ${name}, made for a number, has more than ${LONGEST_NAME} characters`]
    if (names.has(name)) return [`${key}: ${name}, made for a number, is used twice`]
    names.add(name)
    return []
  })
}
