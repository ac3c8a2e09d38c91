import { UNSAID_BODY } from '../../src/http/route/describe.ts'
import { SAID_ENUM, SAID_REQUIRED, UNSAID } from '../../src/values/schema/type.ts'
import { isRecord } from '../../src/values/record.ts'

/** The shapes of a route for the API description: with additional descriptions, and without internal fields. */
export function saidRoute<T extends object>(schema: T): T {
  const { [UNSAID_BODY]: without_body, body, ...rest } = saidRecord(Object.fromEntries(Object.entries(schema)))
  // Descriptions of a route have the same form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (without_body || body === undefined ? rest : { ...rest, body }) as T
}

/** Any shape, in the same way. */
export function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said)
  return isRecord(value) ? saidRecord(value) : value
}

function saidRecord(value: Record<string, unknown>): Record<string, unknown> {
  const { [SAID_ENUM]: words, [SAID_REQUIRED]: _needed, patternProperties, ...others } = value
  const rest = withEnum(others)
  const { properties } = rest
  const made = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, said(part)]))
  if (words !== undefined) made.enum = words
  // A map with arbitrary keys in a simpler form, which every generator supports.
  if (isRecord(patternProperties)) made.additionalProperties = said(Object.values(patternProperties)[0])
  if (rest.type !== 'object' || !isRecord(properties)) return made
  const shown = Object.entries(properties).filter(([, part]) => !marked(part, UNSAID))
  const needed = shown.filter(([, part]) => marked(part, SAID_REQUIRED)).map(([name]) => name)
  const given = Array.isArray(rest.required) ? rest.required.map(String) : []
  const required = [...new Set([...given, ...needed])]
  return {
    ...made,
    properties: Object.fromEntries(shown.map(([name, part]) => [name, said(part)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** A constant, or a choice of constants, as an enum: generators create one type for it. */
function withEnum({ const: only, anyOf, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (only !== undefined) return { ...rest, enum: [only] }
  if (!Array.isArray(anyOf)) return rest
  const words = anyOf.map((one: unknown) => (isRecord(one) && typeof one.const === 'string' ? one.const : undefined))
  return words.every((word) => word !== undefined) ? { ...rest, type: 'string', enum: words } : { ...rest, anyOf }
}

function marked(part: unknown, mark: string): boolean {
  return isRecord(part) && part[mark] === true
}
