import { cached } from '../values/concurrency/cached.ts'
import { keysOf } from '../values/record.ts'
import { httpKind, type HttpCarrierDeps } from './http/carrier.ts'
import type { HttpSettings } from './http/schema.ts'
import type { CarrierKind, DescribeDeps } from './kind.ts'
import type { MessageCarrier } from './message-carrier.ts'
import { phoneKind, type PhoneDeps } from './phone/carrier.ts'
import type { PhoneSettings } from './phone/schema.ts'
import type { CarrierState } from './schema.ts'
import type { SimulatorSettings } from './simulator/schema.ts'
import { simulatorKind, type SimulatorDeps } from './simulator/simulator.ts'
import { smppKind, type SmppDeps } from './smpp/kind.ts'
import type { SmppSettings } from './smpp/schema.ts'
import { whatsappKind, type WhatsappDeps } from './whatsapp/carrier.ts'
import type { WhatsappSettings } from './whatsapp/schema.ts'

type SettingsByKind = {
  simulator: SimulatorSettings
  smpp: SmppSettings
  whatsapp_cloud: WhatsappSettings
  http: HttpSettings
  phone: PhoneSettings
}
type KindName = keyof SettingsByKind
export type CarrierSettings = SettingsByKind[KindName]
export type CarrierDeps = SmppDeps & WhatsappDeps & SimulatorDeps & HttpCarrierDeps & PhoneDeps

const KINDS: { [K in KindName]: CarrierKind<SettingsByKind[K], CarrierDeps> } = {
  simulator: simulatorKind,
  smpp: smppKind,
  whatsapp_cloud: whatsappKind,
  http: httpKind,
  phone: phoneKind,
}

export function startCarrier<K extends KindName>(
  deps: CarrierDeps,
  settings: SettingsByKind[K] & { kind: K },
): MessageCarrier {
  return KINDS[settings.kind].start(deps, settings)
}

/** The configured carriers of one kind. */
export function carriersOfKind<K extends KindName>(carriers: readonly CarrierSettings[], kind: K): SettingsByKind[K][] {
  return carriers.filter((carrier): carrier is SettingsByKind[K] & CarrierSettings => carrier.kind === kind)
}

const STATES_CACHED_MS = 2_000

/** Reads the states of all configured carriers, in the order of the configuration. */
export function makeCarrierStates(
  deps: DescribeDeps,
  carriers: readonly CarrierSettings[],
): () => Promise<CarrierState[]> {
  const describeKind = <K extends KindName>(kind: K): Promise<CarrierState[]> => {
    const own = carriersOfKind(carriers, kind)
    return own.length === 0 ? Promise.resolve([]) : KINDS[kind].describe(deps, own)
  }
  const read = cached(STATES_CACHED_MS, async () => {
    const states = (await Promise.all(keysOf(KINDS).map((kind) => describeKind(kind)))).flat()
    const by_name = new Map(states.map((state) => [state.name, state]))
    return carriers.flatMap(({ name }) => by_name.get(name) ?? [])
  })
  return () => read('')
}
