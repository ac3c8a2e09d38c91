import { readFileSync, writeFileSync } from 'node:fs'
import { describeApi } from './reference/describe.ts'
import { routesTable } from './routes-table.ts'

/** Writes `openapi.json` and `docs/routes.md` from the routes, or with `--check` fails when a committed one is stale. */

const files = {
  'openapi.json': `${JSON.stringify(await describeApi(), null, 2)}\n`,
  'docs/routes.md': await routesTable(),
}

for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is stale: run npm run openapi and commit it.\n`)
    process.exitCode = 1
  }
}
