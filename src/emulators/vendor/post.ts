import { request } from 'undici'
import type { Dialect, VendorPost } from './dialect.ts'

/** Posts to the installation as the vendor does; false if it was not acknowledged. */
export type Post = (post: VendorPost) => Promise<boolean>

const TIMEOUT_MS = 15_000

/** The installation that the vendor reports to. */
export type Installation = { url: string; carrier: string; public_url?: string | undefined }

export function makePost({ credentials }: Dialect, target: () => Installation | undefined): Post {
  return async ({ to, method, query, raw_query, form, json, headers }) => {
    const installation = target()
    if (!installation) return false
    const secret = credentials.report_secret === undefined ? '' : `?secret=${credentials.report_secret}`
    // URLs contain the public name of the installation; the emulator replaces it with the reachable one.
    const public_url = installation.public_url ?? installation.url
    const base =
      to === 'reports' || to === 'texts' ? `${public_url}/carriers/http/${installation.carrier}/${to}${secret}` : to
    const added = [new URLSearchParams(query).toString(), raw_query ?? ''].filter((one) => one !== '').join('&')
    const address = added === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${added}`
    const path = address.replace(/^https?:\/\/[^/]+/, '')
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    try {
      const { statusCode, body: answer } = await request(`${installation.url}${path}`, {
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
