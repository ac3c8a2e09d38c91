import swagger from '@fastify/swagger'
import { readFileSync, writeFileSync } from 'node:fs'
import type { HttpDeps } from '../src/http/deps.ts'
import { openapiInfo } from '../src/http/docs/openapi-info.ts'
import { buildServer } from '../src/http/server.ts'
import { finish, type Document } from './reference/finish.ts'
import { readNames } from './reference/names.ts'
import { saidRoute } from './reference/said.ts'
import { routesTable } from './routes-table.ts'

/** Writes `openapi.json` and `docs/routes.md` from the routes, or with `--check` fails when a committed one is stale. */

// The routes are described, and none is called.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const app = await buildServer({} as HttpDeps, (empty) => {
  void empty.register(swagger, {
    openapi: openapiInfo(),
    hideUntagged: false,
    transform: ({ schema, url }) => ({ schema: saidRoute(schema), url }),
  })
})
await app.ready()
const gathered: Document = JSON.parse(JSON.stringify(app.swagger()))
const document = finish(gathered, await readNames())
const files = { 'openapi.json': `${JSON.stringify(document, null, 2)}\n`, 'docs/routes.md': await routesTable() }

for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is stale: run npm run openapi and commit it.\n`)
    process.exitCode = 1
  }
}
