import { isRecord } from '../../values/record.ts'

/** The keywords of a JSON schema that decide what may be absent. */
type Shape = {
  type?: string | readonly string[]
  anyOf?: readonly Shape[]
  enum?: readonly unknown[]
  properties?: Record<string, Shape>
  required?: readonly string[]
  items?: Shape
}

/** Fields in which an empty string counts as absent: forms and spreadsheets send empty fields. */
const EMPTY_IS_ABSENT = new Set(['callback', 'template_id', 'external_ref', 'query_id'])

type Drop = (value: unknown) => void

/**
 * Removes fields that count as absent from a body or query: `null` in an optional field whose schema has no null, and
 * the empty string in a few. Returns undefined if the schema has no such field.
 */
export function dropAbsent(shape: Shape): Drop | undefined {
  const inItems = shape.items && dropAbsent(shape.items)
  const inFields = shape.properties && dropFields(shape.properties, shape.required ?? [])
  if (!inItems && !inFields) return undefined
  return (value) => {
    if (Array.isArray(value)) value.forEach((item) => inItems?.(item))
    else if (isRecord(value)) inFields?.(value)
  }
}

function dropFields(
  properties: Record<string, Shape>,
  required: readonly string[],
): (object: Record<string, unknown>) => void {
  const fields = Object.entries(properties).map(([name, shape]) => ({
    name,
    null_is_absent: !required.includes(name) && !takesNull(shape),
    empty_is_absent: EMPTY_IS_ABSENT.has(name) && !required.includes(name),
    inside: dropAbsent(shape),
  }))
  return (object) => {
    for (const { name, null_is_absent, empty_is_absent, inside } of fields) {
      if (!Object.hasOwn(object, name)) continue
      const value = object[name]
      if ((value === null && null_is_absent) || (value === '' && empty_is_absent)) delete object[name]
      else inside?.(value)
    }
  }
}

/** A schema without a type accepts null. */
function takesNull({ type, anyOf, enum: words }: Shape): boolean {
  if (anyOf) return anyOf.some(takesNull)
  if (words) return words.includes(null)
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'))
}
