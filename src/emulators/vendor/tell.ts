import { request } from 'undici'
import type { Dialect, Told } from './dialect.ts'

/** Posts to an installation as the vendor does; false when it was not acknowledged. */
export type Tell = (told: Told) => Promise<boolean>

const TIMEOUT_MS = 15_000

/** The installation that a vendor reports to: where it is, and the name people know it by, if that is another. */
export type House = { url: string; carrier: string; public_url?: string | undefined }

export function makeTell({ credentials }: Dialect, whom: () => House | undefined): Tell {
  return async ({ to, method, query, raw_query, form, json, headers }) => {
    const house = whom()
    if (!house) return false
    const secret = credentials.report_secret === undefined ? '' : `?secret=${credentials.report_secret}`
    // An address that came with the message has the name people know us by; here we are found at another.
    const given =
      to === 'reports' || to === 'texts'
        ? `${house.public_url ?? house.url}/carriers/http/${house.carrier}/${to}${secret}`
        : to
    const asked = [new URLSearchParams(query).toString(), raw_query ?? ''].filter((one) => one !== '').join('&')
    const address = asked === '' ? given : `${given}${given.includes('?') ? '&' : '?'}${asked}`
    const path = address.replace(/^https?:\/\/[^/]+/, '')
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    try {
      const { statusCode, body: answer } = await request(`${house.url}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers?.(address, body ?? '') },
        ...(body === undefined ? {} : { body }),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      })
      await answer.dump()
      return statusCode >= 200 && statusCode < 300
    } catch {
      return false
    }
  }
}
