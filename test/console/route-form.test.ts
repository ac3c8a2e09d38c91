import { describe, expect, test } from 'vitest'
import {
  CHOICES,
  carriersKey,
  PERCENTS,
  routeDraft,
  routeSettings,
  type RouteDraft,
} from '../../console/src/pages/carriers/edit/route-draft.ts'
import { RouteSettings } from '../../src/messaging/settings.ts'

const FULL = {
  name: 'nigeria',
  channel: 'sms',
  prefix: '234',
  country: 'NG',
  operator: 'MTN',
  class: 'promotional',
  carriers: ['mtn', 'glo'],
  rate_per_s: 12.5,
  on_unknown: 'hold',
  failover_after_s: 60,
  choose: 'evidence',
  evidence: {
    follow_percent: 10,
    tolerance: 0.05,
    explored_percent: 2,
    half_life_minutes: 30,
    least_percent: { mtn: 20 },
    most_percent: { glo: 50 },
    seed: 7,
  },
}
const LEAST = { name: 'all', channel: 'sms', carrier: 'mtn' }
const SHARED = {
  ...LEAST,
  carrier: undefined,
  carriers: ['mtn', 'glo'],
  choose: 'shares',
  shares: { mtn: 70, glo: 30 },
}

/** What the form makes of the settings once something is changed in it. */
function changed(settings: object, part: Partial<RouteDraft> = {}) {
  const base = { ...settings }
  return routeSettings({ ...routeDraft(base), ...part }, base)
}

describe('a route', () => {
  test.each([FULL, LEAST, SHARED, { ...LEAST, class: 'transactional', choose: 'order' }])(
    'is unchanged by its form: %o',
    (settings) => {
      const given: object = JSON.parse(JSON.stringify(settings))
      expect(changed(given)).toEqual(given)
    },
  )

  test('has every setting of the schema in its form, but for the seed', () => {
    const draft = routeDraft(FULL)
    const shown = [
      'name',
      'channel',
      'carrier',
      'carriers',
      ...Object.keys(draft.words),
      ...Object.keys(draft.chosen),
      ...Object.keys(draft.numbers),
      ...PERCENTS,
    ]
    const { evidence, ...others } = RouteSettings.properties
    const known = [...Object.keys(others), ...Object.keys(evidence.properties).map((name) => `evidence.${name}`)]
    expect(known.filter((path) => !shown.includes(path))).toEqual(['evidence.seed'])
  })

  test('offers the values of the schema, the default first', () => {
    const offered = Object.entries(CHOICES).map(([key, values]) => {
      const { enum: known, default: fallback } = RouteSettings.properties[key as keyof typeof CHOICES] as {
        enum?: readonly string[]
        default?: string
      }
      return [key, fallback === values[0], values.toSorted().join() === known?.toSorted().join()]
    })
    expect(offered).toEqual(Object.keys(CHOICES).map((key) => [key, true, true]))
  })
})

describe('what is changed in the form', () => {
  test('names several carriers in a list, and one as it was named before', () => {
    expect(changed(LEAST, { carriers: ['glo', 'mtn'] })).toEqual({
      ...LEAST,
      carrier: undefined,
      carriers: ['glo', 'mtn'],
    })
    expect(changed(FULL, { carriers: ['mtn'] })).toMatchObject({ carriers: ['mtn'] })
    expect(changed(LEAST, { carriers: [] })).toMatchObject({ carriers: [] })
    expect(carriersKey(routeDraft(LEAST), LEAST)).toBe('carrier')
  })

  test('takes percentages of a carrier with it that leaves the route, and shares with their choice', () => {
    const { evidence } = changed(FULL, { carriers: ['glo'] }) as unknown as typeof FULL
    expect(evidence).not.toHaveProperty('least_percent')
    expect(evidence.most_percent).toEqual({ glo: 50 })
    const draft = routeDraft({ ...SHARED })
    expect(changed(SHARED, { chosen: { ...draft.chosen, choose: 'cheapest' } })).not.toHaveProperty('shares')
  })

  test('goes out as typed where it is no number, and not at all where it is empty', () => {
    const { numbers } = routeDraft(FULL)
    const settings = changed(FULL, { numbers: { ...numbers, rate_per_s: 'ten', failover_after_s: ' ' } })
    expect(settings.rate_per_s).toBe('ten')
    expect(settings).not.toHaveProperty('failover_after_s')
  })
})
