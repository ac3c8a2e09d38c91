import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/** Bodies are taken as they are; query and path are text, so numbers in them are read from it. */
export function validators(): FastifySchemaCompiler<object> {
  const options = { allErrors: true, strict: false, validateFormats: false }
  const body = new Ajv(options)
  const text = new Ajv({ ...options, coerceTypes: true })
  return ({ schema, httpPart }): ValidateFunction => (httpPart === 'body' ? body : text).compile(schema)
}
