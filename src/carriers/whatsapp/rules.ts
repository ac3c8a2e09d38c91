import type { Db } from '../../db/connect.ts'
import type { WhatsappSettings } from './schema.ts'
import { findOpenWindows } from './store.ts'
import { findKnownTemplates } from './template-store.ts'
import { readShape, type TemplateShape } from './templates.ts'

/** Who sends, and the sender that was asked for. */
type From = { approved_senders: readonly string[]; sender_id: string | null }

/** A route of the configuration; with `number` one that was made for a number of an organisation. */
type RuledRoute = { name: string; carriers: readonly string[]; number?: { digits: string; of: string } | undefined }

/** WhatsApp's rules that are checked before a message is charged. */
export type WhatsappRules = {
  /** Whether organisations may have numbers of their own. */
  has_numbers: boolean
  /** Whether the sender is a number that the organisation may send from. The first of an account belongs to all. */
  mayName(from: From): boolean
  /** Whether the sender is a number, and not one of the organisation's. */
  isForeign(from: From): boolean
  /**
   * The route that leads from the number of the sender, if it is one, else from a number of the organisation, else from
   * the shared number. Undefined if the number of the sender cannot send there.
   */
  routeFrom(route: string, from: From): string | undefined
  /** The number from which a route sends; undefined if WhatsApp's rules do not apply, as at the simulator. */
  carrierOf(route: string): string | undefined
  /** Free text from this route needs a 24-hour window: at a number, and at a simulator that is configured to have it. */
  hasWindow(route: string): boolean
  /** Which recipients may be sent free text, because they have written in the last 24 hours. */
  findOpen(carrier: string, recipients: readonly string[]): Promise<ReadonlySet<string>>
  /** A template that the organisation may send, in each of these languages in which there is one, in their order. */
  findTemplates(
    organisation_id: string,
    carrier: string,
    name: string,
    languages: readonly string[],
  ): Promise<ApprovedTemplate[]>
  /** The number sends one-time passwords as a template, so they need no window. */
  hasOtpTemplate(carrier: string): boolean
}

export type ApprovedTemplate = TemplateShape & { language: string; status: string }

export function makeWhatsappRules(
  { db }: { db: Db },
  numbers: readonly WhatsappSettings[],
  routes: readonly RuledRoute[],
  simulators: readonly { name: string; whatsapp_window?: boolean }[],
): WhatsappRules {
  const by_name = new Map(numbers.map((settings) => [settings.name, settings]))
  const by_route = new Map(
    routes.flatMap(({ name, carriers }) => {
      const carrier = carriers.find((one) => by_name.has(one))
      return carrier === undefined ? [] : [[name, carrier] as const]
    }),
  )
  const with_window = new Set(simulators.filter((one) => one.whatsapp_window).map(({ name }) => name))
  const windowed = new Set(
    routes.filter(({ carriers }) => carriers.some((one) => with_window.has(one))).map(({ name }) => name),
  )
  const owned = new Set(numbers.flatMap(({ name, account, digits }) => (name === account ? [] : (digits ?? []))))
  const known = new Set(numbers.flatMap(({ digits }) => digits ?? []))
  const routes_of = routesByDigits(routes, by_name, by_route)
  const isForeign: WhatsappRules['isForeign'] = ({ sender_id, approved_senders }) =>
    sender_id !== null && owned.has(sender_id) && !approved_senders.includes(sender_id)
  return {
    has_numbers: owned.size > 0,
    mayName: (from) => from.sender_id !== null && known.has(from.sender_id) && !isForeign(from),
    isForeign,
    routeFrom(route, { sender_id, approved_senders }) {
      const by_digits = routes_of.get(route)
      if (!by_digits) return route
      if (sender_id !== null && known.has(sender_id)) return by_digits.get(sender_id)
      for (const [digits, own] of by_digits) if (approved_senders.includes(digits)) return own
      return route
    },
    carrierOf: (route) => by_route.get(route),
    hasWindow: (route) => by_route.has(route) || windowed.has(route),
    findOpen: (carrier, recipients) => findOpenWindows(db, carrier, recipients),
    async findTemplates(organisation_id, carrier, name, languages) {
      const account = by_name.get(carrier)?.account ?? carrier
      const found = await findKnownTemplates(db, organisation_id, account, name, languages)
      return found.map((one) => ({ ...readShape(one), language: one.language, status: one.status }))
    },
    hasOtpTemplate: (carrier) => by_name.get(carrier)?.otp_template !== undefined,
  }
}

/** By configured route: the route of each number that it leads to, in the order of the configuration. */
function routesByDigits(
  routes: readonly RuledRoute[],
  by_name: ReadonlyMap<string, WhatsappSettings>,
  by_route: ReadonlyMap<string, string>,
): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>()
  for (const { name, number } of routes) {
    const digits = number?.digits ?? by_name.get(by_route.get(name) ?? '')?.digits
    if (!by_route.has(name)) continue
    const own = found.get(number?.of ?? name) ?? new Map<string, string>()
    found.set(number?.of ?? name, own)
    if (digits !== undefined) own.set(digits, name)
  }
  return found
}
