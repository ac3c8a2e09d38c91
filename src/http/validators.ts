import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

export const BODY_VALIDATION = { allErrors: true, strict: false, validateFormats: false }

/** Bodies are taken as they are; query and path are text, so numbers in them are read from it. */
export function validators(): FastifySchemaCompiler<object> {
  const body = new Ajv(BODY_VALIDATION)
  const text = new Ajv({ ...BODY_VALIDATION, coerceTypes: true })
  return ({ schema, httpPart }): ValidateFunction => (httpPart === 'body' ? body : text).compile(schema)
}
