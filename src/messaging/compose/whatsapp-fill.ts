import type { ApprovedTemplate, WhatsappRules } from '../../carriers/whatsapp/rules.ts'
import { placeholdersOf } from '../../templates/placeholders.ts'
import type { Db } from '../../db/connect.ts'
import type { WhatsappTemplate } from '../../templates/schema.ts'
import { readPattern, type Pattern } from '../../values/placeholders.ts'
import type { Fault } from '../../values/refusal.ts'
import { REFUSING_ROUTES } from '../dispatch/refusing-carrier.ts'
import type { Priced } from './price.ts'
import { checkMedia, type MediaUse } from './whatsapp-media.ts'
import type { PersonalValues, Source } from './source.ts'
import { fill, noValue, TEXTS_PER_ITERATION } from './texts.ts'
import { MEDIA_ID, type ValueFault } from './whatsapp-values.ts'
import { composeTemplate, findMismatches, shapeOf, type Fill, type Report } from './whatsapp-template.ts'

type TemplateRules = Pick<WhatsappRules, 'carrierOf' | 'findTemplates'>

/** Of the values of one recipient: there may be thousands of recipients. */
const MAX_CHARACTERS = 8_192

/**
 * Composes the WhatsApp template of each recipient. A template that cannot be sent, or does not take the values of ours,
 * is a fault of `template_id`; a wrong value is one of the recipient's `personalisation`. Where there are no templates, as
 * at the simulator, only the values are checked.
 */
export async function fillTemplates(
  deps: { db: Db; whatsapp: TemplateRules; organisation_id: string; send_at?: string | undefined },
  whatsapp: WhatsappTemplate,
  source: Source,
  priced: readonly Priced[],
  /** Once there are more faults than `most_faults`, the request is refused whatever the others are. */
  { faults, most_faults }: { faults: Fault[]; most_faults: number },
): Promise<Priced[]> {
  const { whatsapp: rules, organisation_id } = deps
  const uses: MediaUse[] = []
  const defaults = new Map(source.personal?.pattern.placeholders.map((one) => [one.name, one.default]))
  const parameters = whatsapp.parameters.map((name) => {
    const fallback = defaults.get(name)
    return fallback === undefined ? `{{${name}}}` : `{{${name}|${fallback}}}`
  })
  const templates = await findTemplates(rules, organisation_id, whatsapp, priced, faults)
  const as_given = { ...shapeOf(whatsapp), language: whatsapp.language, status: 'APPROVED' }
  const patterns = new Map<string, Pattern>()
  const is_shared = placeholdersOf({ content: parameters.join(' '), whatsapp }).length === 0
  const without = new Map<string, string[]>()
  const reported = new Set<string>()
  const filled: Priced[] = []
  let shared: { template: ApprovedTemplate; whatsapp: Priced['whatsapp'] } | undefined
  for (const [n, delivery] of priced.entries()) {
    if (n > 0 && n % TEXTS_PER_ITERATION === 0) await new Promise(setImmediate)
    const template = templateOf(delivery)
    if (!template || faults.length > most_faults) {
      filled.push(delivery)
      continue
    }
    if (!is_shared || shared?.template !== template) shared = { template, whatsapp: composeFor(delivery, template) }
    filled.push({ ...delivery, ...(shared.whatsapp ? { whatsapp: shared.whatsapp } : {}) })
  }
  for (const [name, recipients] of without) faults.push({ field: 'personalisation', ...noValue(name, recipients) })
  await checkMedia(deps, organisation_id, uses, deps.send_at)
  return filled

  /** Undefined if it cannot be sent, or if the message is refused anyway. */
  function templateOf({ route }: Priced): ApprovedTemplate | undefined {
    const carrier = rules.carrierOf(route)
    if (carrier !== undefined) return templates.get(carrier)
    return REFUSING_ROUTES.some((one) => one === route) ? undefined : as_given
  }

  function composeFor({ recipient }: Priced, template: ApprovedTemplate): Priced['whatsapp'] {
    const own = source.personal?.values.get(recipient)
    const report: Report = (field, { message, type }) => {
      faults.push({ field: own?.field ?? 'template_id', message: `${field}: ${message}.`, type })
    }
    const media: string[] = []
    const fillIn: Fill = (field, value, kind) => {
      const pattern = patterns.get(value) ?? readPattern(value)
      patterns.set(value, pattern)
      let is_missing = false
      const text = fill(pattern, own, (name) => {
        is_missing = true
        // Placeholders of the content are reported with it.
        if (!defaults.has(name)) reportMissing(name, recipient, own)
      })
      if (text === undefined) report(field, { message: 'it is too long', type: 'string_too_long' })
      if (text === undefined || is_missing) return ''
      const written = kind.clean?.(text) ?? text
      const reportValue = (fault: ValueFault): void => {
        const [placeholder, ...more] = pattern.placeholders
        const is_own = own && placeholder && more.length === 0 && Object.hasOwn(own.substitutions, placeholder.name)
        if (!is_own) return report(field, fault)
        const message = `${field}: ${fault.message}.`
        faults.push({ ...fault, field: `${own.field}.substitutions.${placeholder.name}`, message })
      }
      const fault = kind.check(written)
      if (fault) reportValue(fault)
      else if (kind === MEDIA_ID) {
        media.push(written)
        uses.push({ id: written, as: field.split('.').at(-2) ?? '', report: reportValue })
      }
      return fault ? '' : written
    }
    const composed = composeTemplate(template, { ...whatsapp, parameters, language: template.language }, fillIn, report)
    if (JSON.stringify(composed).length <= MAX_CHARACTERS) return media.length > 0 ? { ...composed, media } : composed
    report('whatsapp', {
      message: `its values have more than ${MAX_CHARACTERS.toLocaleString('en')} characters`,
      type: 'string_too_long',
    })
    return undefined
  }

  function reportMissing(name: string, recipient: string, own: PersonalValues | undefined): void {
    if (own) {
      const field = `${own.field}.substitutions.${name}`
      if (!reported.has(field)) faults.push({ field, ...noValue(name) })
      reported.add(field)
      return
    }
    const recipients = without.get(name) ?? []
    if (recipients.at(-1) !== recipient) recipients.push(recipient)
    without.set(name, recipients)
  }
}

/** The template that each number sends: in the first language in which it is approved. */
async function findTemplates(
  rules: TemplateRules,
  organisation_id: string,
  whatsapp: WhatsappTemplate,
  priced: readonly Priced[],
  faults: Fault[],
): Promise<Map<string, ApprovedTemplate>> {
  const { name, language, fallback_languages = [] } = whatsapp
  const templates = new Map<string, ApprovedTemplate>()
  for (const carrier of new Set(priced.flatMap(({ route }) => rules.carrierOf(route) ?? []))) {
    const known = await rules.findTemplates(organisation_id, carrier, name, [language, ...fallback_languages])
    const template = known.find(({ status }) => status === 'APPROVED') ?? known[0]
    const reasons = reasonsAgainst(template, whatsapp)
    if (template && reasons.length === 0) templates.set(carrier, template)
    for (const reason of reasons) {
      const message = `The WhatsApp template ${name} (${template?.language ?? language}) cannot be sent: ${reason}.`
      if (!faults.some((fault) => fault.message === message))
        faults.push({ field: 'template_id', message, type: 'invalid' })
    }
  }
  return templates
}

function reasonsAgainst(template: ApprovedTemplate | undefined, whatsapp: WhatsappTemplate): string[] {
  if (!template) return ['Meta does not know it']
  if (template.status !== 'APPROVED') return [`its state is ${template.status.toLowerCase()}`]
  if (template.unfillable !== undefined) return [template.unfillable]
  return findMismatches(template, whatsapp)
}
