import type { Db } from '../../db/connect.ts'
import type { WhatsappTemplate } from '../../templates/schema.ts'
import { placeholdersOf } from '../../templates/placeholders.ts'
import { findTemplate } from '../../templates/store.ts'
import { isId } from '../../values/id.ts'
import { cleanPhone, type DialPlan } from '../../values/phone/phone.ts'
import { readPattern, type Pattern } from '../../values/placeholders.ts'
import { present } from '../../values/record.ts'
import type { Fault } from '../../values/refusal.ts'
import type { TemplateRef } from '../draft.ts'
import type { SessionContent } from './whatsapp-content.ts'
import type { SendBody } from '../schema.ts'

/** The source of a message's texts. */
export type Source = {
  /** Stored with the message: the text, or that of the template with its placeholders. */
  content: string
  template?: TemplateRef
  /** The WhatsApp template that it is sent as. */
  whatsapp?: WhatsappTemplate
  /** What is sent with the text on WhatsApp. */
  session?: SessionContent | undefined
  /** Set if each recipient has a text of its own. */
  personal?: { pattern: Pattern; values: ReadonlyMap<string, PersonalValues> }
}

export type PersonalValues = { field: string; substitutions: Record<string, string> }

/** Items of a personalisation read per event loop iteration. */
const ITEMS_PER_ITERATION = 1_000

/** Undefined if the template does not exist. Only templates are personalised: free content is sent unchanged. */
export async function readTemplateSource(
  { db }: { db: Db },
  organisation_id: string,
  body: { template_id: string; personalisation: SendBody['personalisation'] },
  audience: { recipients: readonly string[]; plan: DialPlan; faulty: boolean },
  faults: Fault[],
): Promise<Source | undefined> {
  const { template_id } = body
  const template = isId(template_id) ? await findTemplate(db, organisation_id, template_id) : undefined
  const values = await readPersonalisation(body.personalisation ?? [], audience, faults)
  if (!template) return undefined
  const { id, version, content, whatsapp } = template
  const pattern = readPattern(content)
  const ref = { content, template: { id, version }, ...present('whatsapp', whatsapp) }
  return placeholdersOf(template).length === 0 ? ref : { ...ref, personal: { pattern, values } }
}

/** The values per recipient. Of two items for one number the later values take precedence. */
async function readPersonalisation(
  items: NonNullable<SendBody['personalisation']>,
  { recipients, plan, faulty }: { recipients: readonly string[]; plan: DialPlan; faulty: boolean },
  faults: Fault[],
): Promise<Map<string, PersonalValues>> {
  const wanted = new Set(recipients)
  const values = new Map<string, PersonalValues>()
  for (const [n, { to, substitutions }] of items.entries()) {
    if (n > 0 && n % ITEMS_PER_ITERATION === 0) await new Promise(setImmediate)
    const field = `personalisation[${n}]`
    const recipient = cleanPhone(to, plan)
    if (recipient === undefined) {
      faults.push({ field: `${field}.to`, message: 'This is not a phone number.', type: 'phone_invalid' })
    } else if (!wanted.has(recipient)) {
      // If recipients have faults themselves, this number may be among them.
      if (!faulty) faults.push({ field: `${field}.to`, message: 'This is none of the recipients.', type: 'invalid' })
    } else {
      // One object for all items of a number, since copies would take quadratic time. It has no prototype, so that
      // `__proto__` is a name like any other.
      const known: Record<string, string> = values.get(recipient)?.substitutions ?? Object.create(null)
      values.set(recipient, { field, substitutions: Object.assign(known, substitutions) })
    }
  }
  return values
}
