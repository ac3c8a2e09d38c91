import type { Draft } from '../draft.ts'

/** The fields of a message that the customer wrote, as JSON: serialized once, for the intake and for the response. */
export function messageFields(draft: Draft): string {
  draft.json_fields ??=
    optional('content', draft.content) +
    optional('external_ref', draft.external_ref) +
    optional('callback', draft.callback) +
    optional('template_id', draft.template?.id) +
    optional('template_version', draft.template?.version) +
    optional('personalisation', draft.personalisation)
  return draft.json_fields
}

/** A field of a JSON object with the comma before it; nothing where there is no value. */
export function optional(field: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  return `,"${field}":${typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)}`
}

/** Characters that JSON does not escape: this check is faster than `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]*$/
