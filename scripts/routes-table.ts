import Fastify, { type RouteOptions } from 'fastify'
import { addGroup, API, type RouteGroup } from '../src/http/api.ts'
import { JSON_LIMIT } from '../src/http/body/policy.ts'
import type { HttpDeps } from '../src/http/deps.ts'

const HEAD = `# Every route

Written by \`npm run openapi\` from \`src/http/api.ts\`; \`npm run check\` fails when it is stale. Callers:

- **sms**, **otp**, …: an API key with that scope, with those, or with **all** of them; or a console session in place of the
  key. Besides the errors listed here these routes answer 401, 403, 500 and 503.
- **operator**, **organisation**, **visitor**: a console session of an operator of the installation; of a user with a chosen
  organisation; of any logged-in user.
- **guest**: a page of the console before login. **public**: any client.

A body is read in the formats and up to the size that its route declares; the service does not start if a route declares none.
*bytes*: in any format, parsed after its signature is verified. A GET also answers HEAD, unless it says *only*. Files are in \`src/http/\`.

| method | path | who | what | body | errors | file |
|---|---|---|---|---|---|---|
`

/** Every route in one Markdown table, for reviewers. */
export async function routesTable(): Promise<string> {
  const rows: string[] = []
  for (const group of API) rows.push(...(await rowsOf(group)))
  return `${HEAD}${rows.join('\n')}\n`
}

async function rowsOf(group: RouteGroup): Promise<string[]> {
  await requireHome(group)
  const app = Fastify()
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  const found: RouteOptions[] = []
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', (route) => void found.push(route))
  // No route is called.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  addGroup(app, {} as HttpDeps, group)
  await app.ready()
  const heads = new Set(found.filter(({ method }) => method === 'HEAD').map(({ url }) => url))
  return found.filter(({ method }) => method !== 'HEAD').map((route) => row(route, heads.has(route.url), group.file))
}

/** Checks that the file of a group exports it. */
async function requireHome(group: RouteGroup): Promise<void> {
  const home: Record<string, unknown> = await import(new URL(`../src/http/${group.file}`, import.meta.url).href)
  const routes = 'plain' in group ? group.plain : group.routes
  if (!Object.values(home).includes(routes)) throw new Error(`${routes.name} is not in ${group.file}`)
}

function row(route: RouteOptions, has_head: boolean, file: string): string {
  const { method, url, schema, config } = route
  const errors = Object.keys(schema?.response ?? {}).filter((status) => Number(status) >= 400)
  const own = config?.scope === undefined ? errors : errors.filter((status) => !ON_EVERY_KEY.includes(status))
  const who = config?.scope ?? config?.who
  if (who === undefined) throw new Error(`${String(method)} ${url} does not declare its callers`)
  const cells = [
    method === 'GET' && !has_head ? 'GET only' : String(method),
    `\`${url}\``,
    typeof who === 'string' ? who : who.join(', '),
    schema?.summary ?? '',
    bodyOf(route),
    own.join(' '),
    `src/http/${file}`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** Empty for operations without a declared body: they accept JSON like all others, and ignore it. */
function bodyOf({ schema, config, url, method }: RouteOptions): string {
  const policy = config?.body
  if (!policy) throw new Error(`${String(method)} ${url} does not declare its body`)
  const { takes, csv_bytes } = policy
  const declared = schema?.body !== undefined || policy.bytes !== JSON_LIMIT || !takes.includes('json')
  if (!declared || takes.length === 0) return ''
  const forms = takes.filter((form) => form !== 'csv').join(', ')
  return `${forms} ${bytes(policy.bytes)}${csv_bytes === undefined ? '' : `, csv ${bytes(csv_bytes)}`}`
}

const ON_EVERY_KEY = ['401', '403', '500', '503']

function bytes(limit: number): string {
  return limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MiB` : `${limit / 1024} KiB`
}
