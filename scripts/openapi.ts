import swagger from '@fastify/swagger'
import { readFileSync, writeFileSync } from 'node:fs'
import type { HttpDeps } from '../src/http/deps.ts'
import { openapiInfo } from '../src/http/docs/openapi-info.ts'
import { buildServer } from '../src/http/server.ts'
import { routesTable } from './routes-table.ts'

/** Writes `openapi.json` and `docs/routes.md` from the routes, or with `--check` fails when a committed one is stale. */

// The routes are described, and none is called.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const app = await buildServer({} as HttpDeps, (empty) => {
  void empty.register(swagger, { openapi: openapiInfo(), hideUntagged: false })
})
await app.ready()
const document: Document = JSON.parse(JSON.stringify(app.swagger()))
shareErrors(document)
const files = { 'openapi.json': `${JSON.stringify(document, null, 2)}\n`, 'docs/routes.md': await routesTable() }

for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is stale: run npm run openapi and commit it.\n`)
    process.exitCode = 1
  }
}

type Document = {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>
  components: { responses?: Record<string, object> }
}

/** Errors look the same nearly everywhere, so each status is described once and referred to. */
function shareErrors({ paths, components }: Document): void {
  const shared: Record<string, object> = {}
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      if (!('application/json' in ((response as { content?: object }).content ?? {}))) continue
      shared[`error_${status}`] ??= response
      operation.responses[status] = { $ref: `#/components/responses/error_${status}` }
    }
  }
  components.responses = shared
}
