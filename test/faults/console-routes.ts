import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'
import type { JsonSchema } from '../support/from-schema.ts'
import type { Parameter } from '../support/openapi.ts'

export type ConsoleRoute = { method: string; path: string; parameters: Parameter[]; body: JsonSchema | undefined }

/** The routes that only the console uses, as registered in the server: they are not part of openapi.json. */
export async function consoleRoutes(): Promise<ConsoleRoute[]> {
  const routes: ConsoleRoute[] = []
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url, schema }) => {
      if (!url.startsWith('/console/api/') || typeof method !== 'string' || method === 'HEAD') return
      const query = (schema?.querystring as JsonSchema | undefined)?.properties ?? {}
      const parameters = Object.entries(query).map(([name, of]) => ({
        name,
        in: 'query' as const,
        required: false,
        schema: of,
      }))
      const in_path = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
        name,
        in: 'path' as const,
        required: true,
        schema: {},
      }))
      routes.push({
        method,
        path: url,
        parameters: [...parameters, ...in_path],
        body: schema?.body as JsonSchema | undefined,
      })
    })
  })
  await app.close()
  return routes
}
