import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../values/refusal.ts'
import { MultipartBody, readParts } from './multipart.ts'

/** The longest text and a few hundred recipients, percent-encoded, are less. */
export const FORM_LIMIT = 256 * 1024
/** No dialect has as many. */
const MOST_FIELDS = 200

/** The fields of a form or a query; of those given several times, all. */
export type Form = ReadonlyMap<string, readonly string[]>

/** Lets bodies be forms, bounded before they are read; as JSON they still come as elsewhere. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => {
      // Decoding into fields waits for whoever wants them: a caller without a key has nothing read.
      done(null, new FormText(String(body)))
    },
  )
}

/** A form that was not taken apart yet. */
export class FormText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Reads what was posted as a form, or a query as Fastify gives it; JSON objects count by their texts and numbers. */
export function readForm(given: unknown): Form {
  if (given instanceof MultipartBody) return fieldsOf(readParts(given))
  if (given instanceof FormText) return fieldsOf(new URLSearchParams(given.text))
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
  return fieldsOf(entries.flatMap(([name, value]: [string, unknown]) => pairsOf(name, value)))
}

function pairsOf(name: string, value: unknown): [string, string][] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((one): [string, string][] =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [[name, String(one)]] : [],
  )
}

function fieldsOf(pairs: Iterable<[string, string]>): Form {
  const fields = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > MOST_FIELDS) throw new Refusal('invalid_request', `A form has at most ${MOST_FIELDS} fields.`)
    const known = fields.get(name)
    if (known) known.push(value)
    else fields.set(name, [value])
  }
  return fields
}

/** The first value of a field; undefined where it is absent or empty. */
export function field(form: Form, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = form.get(name)?.[0]
    if (value !== undefined && value !== '') return value
  }
  return undefined
}
