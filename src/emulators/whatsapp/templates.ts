import { randomInt } from 'node:crypto'
import { isRecord } from '../../values/record.ts'
import { checkTemplate } from './check-template.ts'
import { CloudFault } from './errors.ts'
import { textOr, variablesIn, type Given } from './read.ts'

export type CloudTemplate = {
  id: string
  name: string
  language: string
  category: string
  status: string
  parameter_format: string
  components: Given[]
  rejected_reason?: string
  quality_score?: { score: string }
}

/** A template as a test may write it: what is left out has its usual value. */
export type SeededTemplate = Record<string, unknown>

export function seedTemplate(given: SeededTemplate): CloudTemplate {
  const text = (key: string, otherwise: string): string => {
    const value = given[key]
    return typeof value === 'string' ? value : otherwise
  }
  const components = Array.isArray(given.components) ? given.components.filter(isRecord) : []
  const named = components.some((one) => variablesIn(textOr(one, 'text', '')).some((name) => !/^\d+$/.test(name)))
  return {
    ...given,
    id: text('id', `${randomInt(1e9, 9e9)}`),
    name: text('name', ''),
    language: text('language', 'en'),
    category: text('category', 'UTILITY'),
    status: text('status', 'APPROVED'),
    parameter_format: text('parameter_format', named ? 'NAMED' : 'POSITIONAL'),
    components,
  }
}

export function isComplete({ id, status, parameter_format }: SeededTemplate): boolean {
  return [id, status, parameter_format].every((value) => typeof value === 'string')
}

export function componentOf({ components }: CloudTemplate, type: string): Given | undefined {
  return components.find((one) => String(one.type).toUpperCase() === type)
}

export function buttonsOf(template: CloudTemplate): Given[] {
  const given = componentOf(template, 'BUTTONS')?.buttons
  return Array.isArray(given) ? given.filter(isRecord) : []
}

/** The cards of a carousel, each like a template. */
export function cardsOf(template: CloudTemplate): CloudTemplate[] {
  const cards = componentOf(template, 'CAROUSEL')?.cards
  return (Array.isArray(cards) ? cards.filter(isRecord) : []).map(({ components }) => ({
    ...template,
    components: Array.isArray(components) ? components.filter(isRecord) : [],
  }))
}

/** An approved template may be edited once a day and ten times in thirty days. */
const EDITS_A_DAY = 1
const DAY_MS = 86_400_000

/** Creates, edits and deletes templates; reviewing them is up to the caller. */
export function makeTemplateAdmin(list: () => CloudTemplate[], checkSamples: (given: Given) => void) {
  const edits = new Map<string, number[]>()
  const find = (id: string): CloudTemplate => {
    const found = list().find((one) => one.id === id)
    if (!found) throw new CloudFault(100, `Object with ID '${id}' does not exist`)
    return found
  }
  return {
    create(given: Given): CloudTemplate {
      checkTemplate(given)
      checkSamples(given)
      if (list().some((one) => one.name === given.name && one.language === given.language)) {
        throw new CloudFault(100, 'There is already a template with this name in this language.')
      }
      const template = { ...seedTemplate({ ...given, status: 'PENDING' }) }
      template.components = shownComponents(template)
      list().push(template)
      return template
    },
    edit(id: string, given: Given): CloudTemplate {
      const template = find(id)
      const { name, language, category, parameter_format } = template
      if (template.status === 'PENDING') throw new CloudFault(100, 'A template in review cannot be edited.')
      if (template.status === 'APPROVED' && given.category !== undefined && given.category !== category) {
        throw new CloudFault(100, 'The category of an approved template cannot be edited.')
      }
      checkTemplate({ category, parameter_format, ...given, name, language })
      checkSamples(given)
      const made = (edits.get(id) ?? []).filter((at) => at > Date.now() - DAY_MS)
      if (template.status === 'APPROVED' && made.length >= EDITS_A_DAY) {
        throw new CloudFault(100, 'An approved template can be edited once in 24 hours.')
      }
      edits.set(id, [...made, Date.now()])
      const edited = seedTemplate({ ...template, ...given, id, name, language, status: 'PENDING' })
      Object.assign(template, edited, { components: shownComponents(edited) })
      return template
    },
    /** By name: in all languages. With `id` only that one. */
    remove(name: string, id: string | undefined): CloudTemplate[] {
      const gone = list().filter((one) => one.name === name && (id === undefined || one.id === id))
      if (gone.length === 0) throw new CloudFault(100, 'There is no such template.')
      const left = list().filter((one) => !gone.includes(one))
      list().splice(0, Infinity, ...left)
      return gone
    },
  }
}

/**
 * Meta lists samples of headers by an address, not by their handle, and authentication templates with their fixed text
 * and the URL of their button.
 */
function shownComponents({ category, components }: CloudTemplate): Given[] {
  if (category !== 'AUTHENTICATION') return components.map(withAddress)
  return components.map((one) => {
    const type = String(one.type).toUpperCase()
    if (type === 'BODY') {
      const advice = one.add_security_recommendation === true ? ' For your security, do not share this code.' : ''
      return { ...one, type, text: `*{{1}}* is your verification code.${advice}` }
    }
    if (type === 'FOOTER') {
      return { ...one, type, text: `This code expires in ${String(one.code_expiration_minutes)} minutes.` }
    }
    const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
    return { type, buttons: [{ type: 'URL', text: 'Copy code', url, example: [url.replace('{{1}}', '123456')] }] }
  })
}

function withAddress(component: Given): Given {
  const { example, cards } = component
  const has_sample = isRecord(example) && example.header_handle !== undefined
  const address = `https://scontent.whatsapp.net/v/t61.29466-34/${randomInt(1e9, 9e9)}`
  return {
    ...component,
    ...(has_sample ? { example: { ...example, header_handle: [address] } } : {}),
    ...(Array.isArray(cards)
      ? {
          cards: cards.filter(isRecord).map((card) => ({
            components: Array.isArray(card.components) ? card.components.filter(isRecord).map(withAddress) : [],
          })),
        }
      : {}),
  }
}
