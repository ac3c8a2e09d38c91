import { startHttp, type HttpCarrierDeps } from './http/carrier.ts'
import type { HttpSettings } from './http/schema.ts'
import type { MessageCarrier } from './message-carrier.ts'
import { startPhones, type PhoneDeps } from './phone/carrier.ts'
import type { PhoneSettings } from './phone/schema.ts'
import type { SimulatorSettings } from './simulator/schema.ts'
import { startSimulator, type SimulatorDeps } from './simulator/simulator.ts'
import { startSmpp, type SmppDeps } from './smpp/carrier/carrier.ts'
import type { SmppSettings } from './smpp/schema.ts'
import { startWhatsapp, type WhatsappDeps } from './whatsapp/carrier.ts'
import type { WhatsappSettings } from './whatsapp/schema.ts'

export type CarrierSettings = SimulatorSettings | SmppSettings | WhatsappSettings | HttpSettings | PhoneSettings
type Deps = SmppDeps & WhatsappDeps & SimulatorDeps & HttpCarrierDeps & PhoneDeps

/** A carrier of the configuration, by its kind. */
export function startCarrier(deps: Deps, settings: CarrierSettings): MessageCarrier {
  switch (settings.kind) {
    case 'simulator':
      return startSimulator(deps, settings)
    case 'whatsapp_cloud':
      return startWhatsapp(deps, settings)
    case 'http':
      return startHttp(deps, settings)
    case 'smpp':
      return startSmpp(deps, settings)
    case 'phone':
      return startPhones(deps, settings)
  }
}

export function isSimulator(carrier: CarrierSettings): carrier is SimulatorSettings {
  return carrier.kind === 'simulator'
}

export function isWhatsapp(carrier: CarrierSettings): carrier is WhatsappSettings {
  return carrier.kind === 'whatsapp_cloud'
}

export function isHttp(carrier: CarrierSettings): carrier is HttpSettings {
  return carrier.kind === 'http'
}

export function isPhone(carrier: CarrierSettings): carrier is PhoneSettings {
  return carrier.kind === 'phone'
}
