import type { FastifyInstance } from 'fastify'

/**
 * The forms a body may come in. `bytes`: as they were sent, in any media type, for callers that sign them; the handler
 * parses them after it has verified the signature, with `values/input/parse-json.ts` and `values/input/read-form.ts`.
 */
export type BodyForm = 'json' | 'form' | 'multipart' | 'csv' | 'bytes'

/** What a route takes as its body, and how much of it. */
export type BodyPolicy = {
  takes: readonly BodyForm[]
  bytes: number
  /** CSV is a stream and has a limit of its own. */
  csv_bytes?: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    body?: BodyPolicy
  }
}

/** Bytes of a JSON body, unless the route says otherwise. */
export const JSON_LIMIT = 1024 * 1024

/** A body that is sent nevertheless is not parsed. */
export const NO_BODY: BodyPolicy = { takes: [], bytes: 64 * 1024 }

/**
 * A route that does not declare its body, or that limits it elsewhere, ends the start of the service. So does a parser for
 * one group of routes: bodies are measured by `read-bodies.ts`, and nowhere else.
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
    // Fastify adds the HEAD of a GET with the options of that, which have passed here.
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
