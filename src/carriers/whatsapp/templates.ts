import { at, shortText } from '../vendor-values.ts'

/** A template as Meta knows it. */
export type KnownTemplate = {
  name: string
  language: string
  category: string
  status: string
  components: unknown
}

export type TemplateFacts = {
  /** The parameters of its text, in order: numbers, or names if the template uses names. */
  body: string[]
  /** Why it cannot be sent: a header or button takes a value, which a message does not have. */
  unfillable: string | undefined
  text: string
}

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/** Reads a template's parameters from the components that Meta describes it with. */
export function readFacts(components: unknown): TemplateFacts {
  const parts = Array.isArray(components) ? components : []
  const ofType = (type: string): unknown => parts.find((part) => String(at(part, 'type')).toUpperCase() === type)
  const given = at(ofType('BODY'), 'text')
  const text = typeof given === 'string' ? given : ''
  const body = [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]?.trim() ?? ''))]
  const numbered = body.every((name) => /^\d+$/.test(name))
  return {
    body: numbered ? body.sort((a, b) => Number(a) - Number(b)) : body,
    unfillable: headerFault(ofType('HEADER')) ?? buttonFault(at(ofType('BUTTONS'), 'buttons')),
    text,
  }
}

function headerFault(header: unknown): string | undefined {
  if (header === undefined) return undefined
  const format = (shortText(at(header, 'format')) ?? 'TEXT').toUpperCase()
  if (format !== 'TEXT') return `its header is of the format ${format.toLowerCase()}`
  return takesValues(at(header, 'text')) ? 'its header takes a value' : undefined
}

/** The button of an authentication template is filled with the code, so it is no obstacle. */
function buttonFault(buttons: unknown): string | undefined {
  const dynamic = (Array.isArray(buttons) ? buttons : []).some(
    (button) => String(at(button, 'type')).toUpperCase() === 'URL' && takesValues(at(button, 'url')),
  )
  return dynamic ? 'a button of it takes a value' : undefined
}

function takesValues(text: unknown): boolean {
  return typeof text === 'string' && text.search(PLACEHOLDER) >= 0
}
