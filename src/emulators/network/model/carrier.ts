import type { StatusName } from '../../../carriers/codec/status.ts'
import { keysOf } from '../../../values/record.ts'
import { durationMs } from '../scenario/duration.ts'
import type { CarrierSettings, OperatorSettings } from '../scenario/schema.ts'
import { delayCurve, keyOf, type DelayCurve } from './draw.ts'
import { readOutages, shareOverTime, type Outage, type ShareOverTime } from './timetable.ts'

/** A carrier of the scenario, prepared for computing fates. */
export type Carrier = {
  name: string
  key: number
  follows_porting: boolean
  is_charged_for_reports: boolean
  validity_ms: number
  answer: DelayCurve
  receipt: DelayCurve
  faked_receipt: DelayCurve
  outages: readonly Outage[]
  /** By the index of the operator. */
  towards: readonly Towards[]
}

/** How it carries texts to one operator. */
export type Towards = {
  /** In ten-thousandths of the currency unit. */
  price: number
  rejected: readonly { status: StatusName; share: number }[]
  lost: ShareOverTime
  faked: ShareOverTime
  undelivered: ShareOverTime
  unreported: ShareOverTime
  delivery: DelayCurve
}

export function compileCarrier(
  settings: CarrierSettings,
  operators: readonly OperatorSettings[],
  seed: number,
): Carrier {
  return {
    name: settings.name,
    key: keyOf(seed, settings.name),
    follows_porting: settings.follows_porting,
    is_charged_for_reports: settings.charged === 'delivered',
    validity_ms: durationMs(settings.validity),
    answer: delayCurve(settings.answer),
    receipt: delayCurve(settings.receipt),
    faked_receipt: delayCurve(settings.faked_receipt),
    outages: readOutages(settings.outages),
    towards: operators.map(({ name }) => compileTowards(settings, name)),
  }
}

function compileTowards(settings: CarrierSettings, operator: string): Towards {
  const own = settings.operators[operator]
  const rejected = own?.rejected ?? settings.rejected
  return {
    price: Math.round((own?.price ?? settings.price) * PRICE_UNITS),
    rejected: keysOf(rejected).map((status) => ({ status, share: rejected[status] ?? 0 })),
    lost: shareOverTime(settings, operator, 'lost'),
    faked: shareOverTime(settings, operator, 'faked'),
    undelivered: shareOverTime(settings, operator, 'undelivered'),
    unreported: shareOverTime(settings, operator, 'unreported'),
    delivery: delayCurve(own?.delivery ?? settings.delivery),
  }
}

const PRICE_UNITS = 10_000
