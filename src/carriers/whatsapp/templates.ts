import { at, words } from '../vendor-words.ts'

/** A template as Meta knows it. */
export type KnownTemplate = {
  name: string
  language: string
  category: string
  status: string
  components: unknown
}

export type TemplateFacts = {
  /** What its text takes, in order: numbers, or names where the template uses them. */
  body: string[]
  /** Something of it cannot be filled in with the values of a message: a header or button that takes some. */
  unfillable: string | undefined
  text: string
}

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/** What a template takes, read off the components Meta describes it with. */
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
  const format = (words(at(header, 'format')) ?? 'TEXT').toUpperCase()
  if (format !== 'TEXT') return `its header is of the format ${format.toLowerCase()}`
  return takesValues(at(header, 'text')) ? 'its header takes a value' : undefined
}

/** A button of an authentication template takes the code, and gets it. */
function buttonFault(buttons: unknown): string | undefined {
  const dynamic = (Array.isArray(buttons) ? buttons : []).some(
    (button) => String(at(button, 'type')).toUpperCase() === 'URL' && takesValues(at(button, 'url')),
  )
  return dynamic ? 'a button of it takes a value' : undefined
}

function takesValues(text: unknown): boolean {
  return typeof text === 'string' && text.search(PLACEHOLDER) >= 0
}
