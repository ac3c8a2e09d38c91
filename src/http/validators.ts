import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { CHECKING } from '../values/schema/check.ts'
import { dropAbsent } from './body/absent.ts'

/**
 * Bodies and queries are taken as they are, but for what is as good as absent; query and path are text, so numbers in
 * them are read from it. Each is compiled when the first request needs it: all of them together would take a fifth of the start.
 */
export function validators(): FastifySchemaCompiler<object> {
  const body = new Ajv(CHECKING)
  const text = new Ajv({ ...CHECKING, coerceTypes: true })
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
