import type { Db } from '../../db/connect.ts'
import type { WhatsappSettings } from './schema.ts'
import { findKnownTemplates, findOpenWindows } from './store.ts'
import { readShape, type TemplateShape } from './templates.ts'

/** WhatsApp's rules that are checked before a message is charged. */
export type WhatsappRules = {
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
  routes: readonly { name: string; carriers: readonly string[] }[],
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
  return {
    carrierOf: (route) => by_route.get(route),
    hasWindow: (route) => by_route.has(route) || windowed.has(route),
    findOpen: (carrier, recipients) => findOpenWindows(db, carrier, recipients),
    async findTemplates(organisation_id, carrier, name, languages) {
      const known = await findKnownTemplates(db, organisation_id, carrier, name, languages)
      return known.map((one) => ({ ...readShape(one), language: one.language, status: one.status }))
    },
    hasOtpTemplate: (carrier) => by_name.get(carrier)?.otp_template !== undefined,
  }
}
