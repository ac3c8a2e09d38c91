import type { Fault, FaultType } from '../values/refusal.ts'

/** What Ajv says about a value that does not fit its schema. */
type SchemaFault = { keyword: string; instancePath: string; params: Record<string, unknown>; message?: string }

/**
 * Turns schema faults into ours: one vocabulary, and the names the caller used. Of a list that is too long only that is
 * told.
 */
export function shapeFaults(found: readonly SchemaFault[]): Fault[] {
  const too_long = found.filter(({ keyword }) => keyword === 'maxItems').map(({ instancePath }) => `${instancePath}/`)
  const told =
    too_long.length === 0
      ? found
      : found.filter(({ instancePath }) => !too_long.some((list) => instancePath.startsWith(list)))
  return told.map(({ keyword, instancePath, params, message }) => {
    const place = fieldName(instancePath)
    if (keyword === 'required') {
      const name = String(params.missingProperty)
      return { field: place ? `${place}.${name}` : name, message: 'This field is required.', type: 'missing' }
    }
    return { field: place || 'body', message: sentence(message), type: faultType(keyword, params) }
  })
}

/** `/personalisation/2/to` → `personalisation[2].to` */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => (/^\d+$/.test(part) && name ? `${name}[${part}]` : name ? `${name}.${part}` : part), '')
}

function sentence(message = 'is invalid'): string {
  return `This value ${message.replace(/^must NOT/, 'must not').replace(/,/g, ' or ')}.`
}

const BY_KEYWORD: Record<string, FaultType> = {
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  maxItems: 'less_than_equal',
  minItems: 'greater_than_equal',
  enum: 'enum',
  const: 'enum',
}

const BY_TYPE: Record<string, FaultType> = {
  string: 'string_type',
  number: 'number_type',
  integer: 'number_type',
  boolean: 'boolean_type',
  array: 'list_type',
  object: 'dict_type',
}

function faultType(keyword: string, params: Record<string, unknown>): FaultType {
  if (keyword !== 'type') return BY_KEYWORD[keyword] ?? 'invalid'
  const [type] = Array.isArray(params.type) ? params.type : [params.type]
  return BY_TYPE[String(type)] ?? 'invalid'
}
