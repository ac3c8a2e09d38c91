import type { Draft } from '../draft.ts'

/** What the customer said of a message, as JSON fields: written once, for whoever stores and whoever answers. */
export function messageWords(draft: Draft): string {
  draft.words ??=
    optional('content', draft.content) +
    optional('external_ref', draft.external_ref) +
    optional('callback', draft.callback) +
    optional('template_id', draft.template?.id) +
    optional('template_version', draft.template?.version) +
    optional('personalisation', draft.personalisation)
  return draft.words
}

/** A field of a JSON object with the comma before it; nothing where there is no value. */
export function optional(field: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  return `,"${field}":${typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)}`
}

/** Letters that JSON leaves as they are: seeing that is quicker than having it done. */
const PLAIN = /^[ !#-[\]-~]*$/
