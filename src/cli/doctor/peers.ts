import { bindsOf, readTlsFiles } from '../../carriers/smpp/carrier/bind-options.ts'
import type { TlsSettings } from '../../carriers/smpp/session/bind-settings.ts'
import { makeVendor } from '../../carriers/http/vendor.ts'
import { carriersOfKind, type CarrierSettings } from '../../carriers/kinds.ts'
import type { OutgoingMessage } from '../../carriers/message-carrier.ts'
import type { Config } from '../../config/config.ts'
import { newId } from '../../values/id.ts'

/** A server that the service would connect to. */
export type Peer = {
  name: string
  host: string
  port: number
  /** Null: without TLS. */
  tls: TlsSettings | null
  local_address?: string
}

const TRUSTED: TlsSettings = { ca: null, cert: null, key: null, servername: null, insecure: false }

/** Every server that the configuration names, once. Throws if a file of a carrier's TLS cannot be read. */
export function peersOf(config: Config): Peer[] {
  const { carriers, airtime, lookup, sign_in } = config.settings
  const peers = [
    ...carriers.flatMap((carrier) => peersOfCarrier(carrier, config)),
    ...airtime.vendors.flatMap((vendor) => [
      ...('base_url' in vendor ? [fromUrl(vendor.name, vendor.base_url)] : []),
      ...('auth_url' in vendor ? [fromUrl(vendor.name, vendor.auth_url)] : []),
    ]),
    ...(lookup.provider ? [fromUrl('lookup.provider', lookup.provider.url)] : []),
    ...sign_in.providers.map(({ name, issuer }) => fromUrl(`sign_in ${name}`, issuer)),
    ...(config.traces ? [fromUrl('traces', config.traces.url)] : []),
  ]
  return [...new Map(peers.map((peer) => [`${peer.name} ${peer.host} ${peer.port}`, peer])).values()]
}

function peersOfCarrier(carrier: CarrierSettings, { public_url }: Config): Peer[] {
  switch (carrier.kind) {
    case 'simulator':
    case 'phone':
      return []
    case 'whatsapp_cloud':
      return [fromUrl(carrier.name, carrier.base_url)]
    case 'http':
      return carriersOfKind([carrier], 'http').map((one) => {
        const vendor = makeVendor(one, public_url)
        return fromUrl(carrier.name, vendor.writeSend([A_MESSAGE]).url)
      })
    case 'smpp': {
      const tls = readTlsFiles(carrier)
      const own = carrier.local_address === undefined ? {} : { local_address: carrier.local_address }
      return bindsOf(carrier).map(({ host = carrier.host, port = carrier.port }) => {
        return { name: carrier.name, host, port, tls, ...own }
      })
    }
  }
}

/** Never sent: only the address of the request is read. */
const A_MESSAGE: OutgoingMessage = {
  organisation_id: newId(),
  message_id: newId(),
  recipient: '2348031234567',
  channel: 'sms',
  sender_id: 'Gangan',
  text: 'Hello',
  expires_in_s: null,
  attempt: 1,
  urgent: false,
}

function fromUrl(name: string, url: string): Peer {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const is_tls = protocol === 'https:'
  return { name, host, port: Number(port || (is_tls ? 443 : 80)), tls: is_tls ? TRUSTED : null }
}
