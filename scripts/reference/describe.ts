import swagger, { type SwaggerTransform } from '@fastify/swagger'
import type { HttpDeps } from '../../src/http/deps.ts'
import { openapiInfo } from '../../src/http/docs/openapi-info.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Document } from '../clients/model.ts'
import { finish } from './finish.ts'
import { readNames } from './names.ts'
import { saidRoute } from './said.ts'

/** The public API, as `openapi.json` describes it. */
export function describeApi(): Promise<Document> {
  return describe(({ schema, url }) => ({ schema: saidRoute(schema), url }))
}

/** The operations that only the console calls: not part of `openapi.json`, and the source of the console's types. */
export function describeConsoleApi(): Promise<Document> {
  return describe(({ schema, url, route: { method } }) => {
    const operation = operationName(String(method), url)
    // A route of several methods responds with 405; the stream of events has no response that ends.
    const is_console = url.startsWith('/console/api/') && typeof method === 'string' && !url.endsWith('/events')
    const named = { ...saidRoute(schema), hide: !is_console, operationId: operation, 'x-client-method': operation }
    return { schema: named, url }
  })
}

async function describe(transform: SwaggerTransform): Promise<Document> {
  // The routes are described, not called.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const app = await buildServer({} as HttpDeps, (empty) => {
    void empty.register(swagger, { openapi: openapiInfo(), hideUntagged: false, transform })
  })
  await app.ready()
  // The generators of clients use more of it than `finish` does.
  return JSON.parse(JSON.stringify(finish(JSON.parse(JSON.stringify(app.swagger())), await readNames())))
}

function operationName(method: string, url: string): string {
  const words = url
    .split('/')
    .filter((part) => /\w/.test(part))
    .map((part) => part.replaceAll(/\W/g, '_'))
  return `${method.toLowerCase()}_${words.join('_')}`
}
