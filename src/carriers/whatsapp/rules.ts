import type { Db } from '../../db/connect.ts'
import type { WhatsappSettings } from './schema.ts'
import { findKnownTemplate, findOpenWindows } from './store.ts'
import { readFacts, type TemplateFacts } from './templates.ts'

/** What must be known about WhatsApp before a message is charged. */
export type WhatsappRules = {
  /** The number that messages of a route leave from; undefined where WhatsApp's rules do not hold, as at the simulator. */
  carrierOf(route: string): string | undefined
  /** Who may be sent free text, of these: they have written in the last 24 hours. */
  findOpen(carrier: string, recipients: readonly string[]): Promise<ReadonlySet<string>>
  /** Undefined when Meta does not know it, as far as we have looked. */
  findTemplate(carrier: string, name: string, language: string): Promise<ApprovedTemplate | undefined>
  /** One-time passwords go out as a template there, so they need no window. */
  hasOtpTemplate(carrier: string): boolean
}

export type ApprovedTemplate = TemplateFacts & { status: string }

export function makeWhatsappRules(
  { db }: { db: Db },
  numbers: readonly WhatsappSettings[],
  routes: readonly { name: string; carriers: readonly string[] }[],
): WhatsappRules {
  const by_name = new Map(numbers.map((settings) => [settings.name, settings]))
  const by_route = new Map(
    routes.flatMap(({ name, carriers }) => {
      const carrier = carriers.find((one) => by_name.has(one))
      return carrier === undefined ? [] : [[name, carrier] as const]
    }),
  )
  return {
    carrierOf: (route) => by_route.get(route),
    findOpen: (carrier, recipients) => findOpenWindows(db, carrier, recipients),
    async findTemplate(carrier, name, language) {
      const known = await findKnownTemplate(db, carrier, name, language)
      return known && { ...readFacts(known.components), status: known.status }
    },
    hasOtpTemplate: (carrier) => by_name.get(carrier)?.otp_template !== undefined,
  }
}
