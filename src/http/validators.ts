import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { dropAbsent } from './body/absent.ts'

export const BODY_VALIDATION = { allErrors: true, strict: false, validateFormats: false }

/**
 * Bodies and queries are taken as they are, but for what is as good as absent; query and path are text, so numbers in
 * them are read from it. Each is compiled when the first request needs it: all of them together would take a fifth of the start.
 */
export function validators(): FastifySchemaCompiler<object> {
  const body = new Ajv(BODY_VALIDATION)
  const text = new Ajv({ ...BODY_VALIDATION, coerceTypes: true })
  return ({ schema, httpPart }) => {
    const is_body = httpPart === 'body'
    const drop = is_body || httpPart === 'querystring' ? dropAbsent(schema) : undefined
    let validate: ValidateFunction | undefined
    return (value) => {
      validate ??= (is_body ? body : text).compile(schema)
      drop?.(value)
      return validate(value) ? true : { error: validate.errors ?? [] }
    }
  }
}
