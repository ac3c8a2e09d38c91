import { isSettings, listOf, numberIn, textOf, valueAt, withValue, type Settings } from './settings.ts'

/** Numbers of a route and of its choice, which are typed. */
const NUMBERS = [
  'rate_per_s',
  'failover_after_s',
  'evidence.follow_percent',
  'evidence.tolerance',
  'evidence.explored_percent',
  'evidence.half_life_minutes',
] as const
const WORDS = ['prefix', 'country', 'operator'] as const
/** Fields with a fixed set of values, the default first. */
export const CHOICES = {
  class: ['transactional', 'promotional'],
  choose: ['order', 'shares', 'cheapest', 'evidence'],
  on_unknown: ['resend_otp', 'hold', 'fail'],
} as const
/** Percent by carrier. */
export const PERCENTS = ['shares', 'evidence.least_percent', 'evidence.most_percent'] as const

type Texts<Name extends string> = Readonly<Record<Name, string>>
export type RouteDraft = {
  name: string
  channel: string
  carriers: readonly string[]
  words: Texts<(typeof WORDS)[number]>
  chosen: Texts<keyof typeof CHOICES>
  numbers: Texts<(typeof NUMBERS)[number]>
  percents: Readonly<Record<(typeof PERCENTS)[number], Readonly<Record<string, string>>>>
}

/** Of the parts of the form. */
export type RouteProps = { draft: RouteDraft; change: (part: Partial<RouteDraft>) => void }

export function routeDraft(settings: Settings): RouteDraft {
  const { name, channel, carrier, carriers } = settings
  const at = (path: string) => textOf(valueAt(settings, path))
  return {
    name: textOf(name),
    channel: textOf(channel) || 'sms',
    carriers: (carriers === undefined ? [carrier] : listOf(carriers)).map(textOf).filter((one) => one !== ''),
    words: { prefix: at('prefix'), country: at('country'), operator: at('operator') },
    chosen: {
      class: at('class') || CHOICES.class[0],
      choose: at('choose') || CHOICES.choose[0],
      on_unknown: at('on_unknown') || CHOICES.on_unknown[0],
    },
    numbers: {
      rate_per_s: at('rate_per_s'),
      failover_after_s: at('failover_after_s'),
      'evidence.follow_percent': at('evidence.follow_percent'),
      'evidence.tolerance': at('evidence.tolerance'),
      'evidence.explored_percent': at('evidence.explored_percent'),
      'evidence.half_life_minutes': at('evidence.half_life_minutes'),
    },
    percents: {
      shares: percentsAt(settings, 'shares'),
      'evidence.least_percent': percentsAt(settings, 'evidence.least_percent'),
      'evidence.most_percent': percentsAt(settings, 'evidence.most_percent'),
    },
  }
}

/** The settings with what the form has; fields that only JSON has are kept. A value that is a default is left out. */
export function routeSettings(draft: RouteDraft, base: Settings): Settings {
  const { name, channel, carriers, chosen } = draft
  const { carrier: _carrier, carriers: _carriers, ...rest } = base
  const named = carriersKey(draft, base) === 'carrier' ? { carrier: carriers[0] } : { carriers }
  let settings: Settings = { ...rest, name, channel, ...named }
  for (const word of WORDS) settings = withValue(settings, word, draft.words[word].trim() || undefined)
  for (const key of ['class', 'choose', 'on_unknown'] as const) {
    const is_default = chosen[key] === CHOICES[key][0] && base[key] === undefined
    settings = withValue(settings, key, is_default ? undefined : chosen[key])
  }
  for (const path of NUMBERS) settings = withValue(settings, path, numberIn(draft.numbers[path]))
  for (const path of PERCENTS) settings = withValue(settings, path, percentsOf(draft.percents[path], carriers))
  return chosen.choose === 'shares' ? settings : withValue(settings, 'shares', undefined)
}

/** The key of the carriers: one may be named without a list. */
export function carriersKey({ carriers }: RouteDraft, base: Settings): 'carrier' | 'carriers' {
  return carriers.length === 1 && !('carriers' in base) ? 'carrier' : 'carriers'
}

function percentsAt(settings: Settings, path: string): Record<string, string> {
  const found = valueAt(settings, path)
  return isSettings(found) ? Object.fromEntries(Object.entries(found).map(([name, own]) => [name, textOf(own)])) : {}
}

/** Those of carriers that the route still has; undefined if there are none. */
function percentsOf(texts: Readonly<Record<string, string>>, carriers: readonly string[]): Settings | undefined {
  const given = carriers.flatMap((name) => {
    const percent = numberIn(texts[name] ?? '')
    return percent === undefined ? [] : [[name, percent] as const]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
