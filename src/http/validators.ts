import type { ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { validatorOf } from '../values/schema/check.ts'
import { dropAbsent } from './body/absent.ts'

/**
 * Validates bodies and queries after removing what counts as absent; numbers in queries and paths are parsed from text.
 * Each validator is compiled on first use: compiling all would take a fifth of the startup time.
 */
export function validators(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const is_body = httpPart === 'body'
    const drop = is_body || httpPart === 'querystring' ? dropAbsent(schema) : undefined
    let validate: ValidateFunction | undefined
    return (value) => {
      validate ??= validatorOf(schema, { coerce: !is_body })
      drop?.(value)
      return validate(value) ? true : { error: validate.errors ?? [] }
    }
  }
}
