import type { FastifyInstance } from 'fastify'

/**
 * Accepted body formats. `bytes` is the raw body in any media type, for callers that sign it: the handler verifies the
 * signature, then parses with `values/input/parse-json.ts` or `values/input/read-form.ts`. `file` is a picture, a recording
 * or a document, which the handler reads as a stream.
 */
export type BodyForm = 'json' | 'form' | 'multipart' | 'csv' | 'bytes' | 'file'

/** The body formats a route accepts, and their size limit. */
export type BodyPolicy = {
  takes: readonly BodyForm[]
  bytes: number
  /** Limit of a CSV body, which is read as a stream. */
  csv_bytes?: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    body?: BodyPolicy
  }
}

/** Default size limit of a JSON body. */
export const JSON_LIMIT = 1024 * 1024

/** A body that is sent anyway is not parsed. */
export const NO_BODY: BodyPolicy = { takes: [], bytes: 64 * 1024 }

/**
 * Fails at startup if a route declares no body policy, sets another `bodyLimit`, or adds a content type parser: only
 * `read-bodies.ts` measures and parses bodies.
 */
export function requireBodyPolicies(app: FastifyInstance): void {
  app.addHook('onRoute', (options) => {
    const { method, url, config, bodyLimit } = options
    const policy = config?.body
    const name = `${String(method)} ${url}`
    if (!policy) throw new Error(`${name} does not declare the body it takes (config.body)`)
    if (policy.takes.includes('csv') !== (policy.csv_bytes !== undefined)) {
      throw new Error(`${name} does not declare how much CSV it takes (config.body.csv_bytes)`)
    }
    // Fastify derives the HEAD route from its GET, which was checked.
    if (bodyLimit !== undefined && bodyLimit !== policy.bytes) {
      throw new Error(`${name} limits its body in two places: say it in config.body`)
    }
    options.bodyLimit = policy.bytes
  })
  const refuse = (): never => {
    throw new Error('a route takes bodies by config.body, and not by a parser of its own')
  }
  app.addContentTypeParser = refuse
  app.removeContentTypeParser = refuse
  app.removeAllContentTypeParsers = refuse
}
