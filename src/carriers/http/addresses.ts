import type { Preset, Verification } from './preset/schema.ts'
import type { HttpSettings } from './schema.ts'

/** Our URLs for the vendor, which are entered in its dashboard or sent with every message. */
export type Addresses = { reports?: string; texts?: string }

/** With the secret in the query, if that is how the vendor's posts are verified. */
export function addressesOf(settings: HttpSettings, preset: Preset, public_url: string): Addresses {
  const { reports, texts } = preset
  const base = `${public_url}/carriers/http/${settings.name}`
  const to = (what: 'reports' | 'texts', verify: readonly Verification[] = []): string =>
    `${base}/${what}${secretOf(settings, verify)}`
  const with_reports = texts?.with_reports === true
  return {
    ...(reports ? { reports: to('reports', reports.verify) } : {}),
    ...(texts && !with_reports ? { texts: to('texts', texts.verify ?? reports?.verify) } : {}),
  }
}

const IN_QUERY = /^query\.([\w-]{1,60})$/
const CREDENTIAL = /^\{\{credentials\.(\w+)\}\}$/

function secretOf({ credentials }: HttpSettings, verify: readonly Verification[]): string {
  for (const { kind, at, secret } of verify) {
    const name = kind === 'secret' ? IN_QUERY.exec(at)?.[1] : undefined
    const value = credentials[CREDENTIAL.exec(secret)?.[1] ?? '']
    if (name !== undefined && value !== undefined) return `?${name}=${encodeURIComponent(value)}`
  }
  return ''
}

/** Removes the secret, for display. */
export function hideSecret(address: string): string {
  return address.replace(/(\?[\w-]+=).*$/, '$1…')
}
