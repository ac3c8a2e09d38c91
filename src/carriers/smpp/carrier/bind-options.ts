import { readFileSync } from 'node:fs'
import { BIND_DEFAULTS, type BindSettings, type TlsSettings } from '../session/bind-settings.ts'
import type { SmppSettings } from '../schema.ts'

/** Stopping the whole process takes at most ten seconds. */
const STOP_WAIT_MS = 2_000

export type BindOptions = { host?: string; port?: number; system_id?: string; password?: string }

/** The settings in which each bind of a carrier differs from the others. */
export function bindsOf({ binds }: SmppSettings): readonly BindOptions[] {
  return typeof binds === 'number' ? Array.from({ length: binds }, () => ({})) : binds
}

export function bindSettings(settings: SmppSettings, options: BindOptions, tls: TlsSettings | null): BindSettings {
  const { host, port, system_id, password, mode, system_type, interface_version, address_range, window } = settings
  return {
    ...BIND_DEFAULTS,
    host,
    port,
    system_id,
    password,
    mode,
    system_type,
    interface_version,
    address_range,
    window,
    ...options,
    rate: settings.rate_per_bind ?? null,
    tls,
    local_address: settings.local_address ?? null,
    enquire_interval_ms: 1_000 * settings.enquire_every_s,
    response_timeout_ms: 1_000 * settings.response_timeout_s,
    stop_wait_ms: STOP_WAIT_MS,
    backoff: { ...BIND_DEFAULTS.backoff, first_ms: 1_000 * settings.reconnect_after_s },
  }
}

/** Reads certificates once, at the start, so that a wrong path fails there. */
export function readTlsFiles({ tls }: SmppSettings): TlsSettings | null {
  if (!tls) return null
  const read = (path: string | undefined): string | null => (path === undefined ? null : readFileSync(path, 'utf8'))
  return {
    ca: read(tls.ca_file),
    cert: read(tls.cert_file),
    key: read(tls.key_file),
    servername: tls.servername ?? null,
    insecure: tls.insecure,
  }
}
