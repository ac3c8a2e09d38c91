import type { FastifyReply, FastifyRequest } from 'fastify'
import { suspended } from '../../organisations/authenticate.ts'
import { findCallerOf, type Caller } from '../../organisations/store.ts'
import type { Actor } from '../../users/audit.ts'
import type { Client, Entry, Site } from '../../users/deps.ts'
import { DEVICE_DAYS } from '../../users/login/device.ts'
import { visitorOf } from '../../users/login/session.ts'
import type { SessionUser } from '../../users/login/session-store.ts'
import { isCsrfToken } from '../../users/login/token.ts'
import { isId } from '../../values/id.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { isRecord } from '../../values/record.ts'

/** A user with a console session. */
export type Visitor = SessionUser & { token: string }

/** Over https, the `__Host-` prefix makes browsers require Secure, this host and the path `/`. */
const SESSION = 'gangan_session'
const DEVICE = 'gangan_device'
/** Cookie of the sentence that the login page shows next. */
export const SENTENCE = 'gangan_sentence'
const GUARDED = '__Host-'
const READS = ['GET', 'HEAD']
export function hasSession({ headers }: FastifyRequest): boolean {
  return headers.cookie?.includes(SESSION) ?? false
}

/**
 * The user of the session cookie. Throws without a session, and if a page of another site may have made the request.
 */
export async function requireVisitor(deps: HttpDeps, request: FastifyRequest): Promise<Visitor> {
  const token = sessionToken(deps, request)
  const session = token === undefined ? undefined : await visitorOf(deps, token)
  if (token === undefined || !session) throw new Refusal('unauthenticated', 'Please log in.')
  if (!READS.includes(request.method)) refuseForged(request, token)
  request.visitor = { ...session, token }
  return request.visitor
}

/** The organisation the user has chosen: any for an operator, for others their own or its test twin. */
export async function callerOfVisitor(deps: HttpDeps, request: FastifyRequest): Promise<Caller> {
  const visitor = await requireVisitor(deps, request)
  return chosenFor(deps, request, visitor)
}

/** Users of a suspended organisation may only read; operators may change it. */
export async function chosenFor(deps: HttpDeps, request: FastifyRequest, visitor: Visitor): Promise<Caller> {
  const caller = await chosenBy(deps, visitor, chosenIn(request))
  if (caller.suspended && visitor.organisation_id !== null && !READS.includes(request.method)) throw suspended()
  return caller
}

/** Downloads and event streams cannot set headers, so reads may name the organisation in the query. */
export function chosenIn({ headers, method, query }: FastifyRequest): unknown {
  const named = READS.includes(method) && isRecord(query) ? query.organisation_id : undefined
  return headers['x-organisation-id'] ?? named
}

export async function chosenBy(deps: HttpDeps, visitor: Visitor, given: unknown): Promise<Caller> {
  const wanted = given ?? visitor.organisation_id
  if (wanted === null) {
    const message = 'An operator says which organisation is meant.'
    refuseIfFaulty([{ field: 'x-organisation-id', message, type: 'missing' }])
  }
  const found = isId(wanted) ? await findCallerOf(deps.db, wanted) : undefined
  if (!found || !mayEnter(visitor, found)) throw new Refusal('not_found', 'There is no such organisation.')
  return found
}

function mayEnter(visitor: Visitor, { organisation_id, twin_of }: Caller & { twin_of: string | null }): boolean {
  if (visitor.organisation_id === null) return true
  return visitor.organisation_id === organisation_id || visitor.organisation_id === twin_of
}

/** Browsers state the origin of a request; the token proves that the page could read our answers. */
function refuseForged(request: FastifyRequest, token: string): void {
  refuseOtherSites(request)
  const given = request.headers['x-csrf-token']
  if (typeof given !== 'string' || !isCsrfToken(given, token)) {
    throw new Refusal('forbidden', 'The x-csrf-token is missing or does not belong to this session.')
  }
}

export function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new Refusal('forbidden', 'This request comes from a page of another site.')
  }
}

export function sessionToken(deps: HttpDeps, request: FastifyRequest): string | undefined {
  return cookieOf(deps, request, SESSION)
}

function cookieIn({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

export function cookieOf(deps: HttpDeps, request: FastifyRequest, name: string): string | undefined {
  return cookieIn(request, cookieName(deps, name))
}

/** A cookie of the sign-in redirects: SameSite=Lax, so that it is sent when the provider links back. */
export function setPassing(deps: HttpDeps, reply: FastifyReply, name: string, value: string, max_age_s: number): void {
  reply.header('set-cookie', cookie(deps, name, value, max_age_s, 'Lax'))
}

/** Sets the session cookie, and the one that recognises the device. */
export function setCookies(deps: HttpDeps, reply: FastifyReply, { token, device_token }: Entry): void {
  reply.header('set-cookie', [
    cookie(deps, SESSION, token, deps.session_settings.session_hours * 3_600),
    cookie(deps, DEVICE, device_token, DEVICE_DAYS * 24 * 3_600),
  ])
}

export function clearSession(deps: HttpDeps, reply: FastifyReply): void {
  reply.header('set-cookie', cookie(deps, SESSION, '', 0))
}

/** The public address: as configured, or the host of the request. */
export function publicUrl({ console_url }: HttpDeps, request: FastifyRequest): string {
  return console_url ?? `${request.protocol}://${request.host}`
}

function siteOf(deps: HttpDeps, request: FastifyRequest): Site {
  const address = publicUrl(deps, request)
  if (!URL.canParse(address)) return { origin: address, rp_id: '' } // Matches no passkey.
  const { origin, hostname } = new URL(address)
  return { origin, rp_id: hostname }
}

export function clientOf(deps: HttpDeps, request: FastifyRequest): Client {
  return {
    address: request.ip,
    site: siteOf(deps, request),
    user_agent: request.headers['user-agent'] ?? null,
    device_token: cookieOf(deps, request, DEVICE) ?? null,
  }
}

export function actorOf(request: FastifyRequest): Actor {
  const visitor = visitorIn(request)
  return { user_id: visitor.user_id, actor: visitor.email, address: request.ip }
}

export function visitorIn({ visitor }: FastifyRequest): Visitor {
  if (!visitor) throw new Error('a route without a session asks for its visitor')
  return visitor
}

function cookie(deps: HttpDeps, name: string, value: string, max_age_s: number, same_site = 'Strict'): string {
  const secure = isSecure(deps) ? '; Secure' : ''
  return `${cookieName(deps, name)}=${value}; Path=/; Max-Age=${max_age_s}; HttpOnly; SameSite=${same_site}${secure}`
}

function cookieName(deps: HttpDeps, name: string): string {
  return isSecure(deps) ? `${GUARDED}${name}` : name
}

function isSecure({ console_url }: HttpDeps): boolean {
  return console_url?.startsWith('https://') ?? false
}
