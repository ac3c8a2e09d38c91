import { expect, test } from 'vitest'
import { CONSOLE_ANSWERS } from '../../src/http/console/schema.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { CsvFile, Nothing, PUBLIC_ANSWERS } from '../../src/http/schema.ts'
import { buildServer } from '../../src/http/server.ts'

type Responses = Record<number, unknown>

/** Every operation the service has, as the tables name it, with the answers its route declares. */
async function declaredAnswers(): Promise<Map<string, Responses>> {
  const found = new Map<string, Responses>()
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url, schema }) => {
      if (typeof method !== 'string' || method === 'HEAD') return // several at once are refused with a 405
      found.set(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`, (schema?.response ?? {}) as Responses)
    })
  })
  await app.close()
  return found
}

test('the table of public answers is what the routes declare', async () => {
  const declared = await declaredAnswers()
  const routes = Object.keys(PUBLIC_ANSWERS).map((operation) => [operation, successOf(declared.get(operation) ?? {})])
  expect(routes).toEqual(Object.entries(PUBLIC_ANSWERS))
})

/** The declared answer, in the words of the tables. */
function successOf({ 200: success, 204: nothing }: Responses): unknown {
  if (success === undefined) return nothing === undefined ? undefined : Nothing
  const { content } = success as { content?: object }
  return content && 'text/csv' in content ? CsvFile : success
}

test('the table of the console’s answers has all of its operations, and no other', async () => {
  const declared = [...(await declaredAnswers()).keys()]
  const own = declared.filter((operation) => operation.includes(' /console/api/'))
  expect([...Object.keys(CONSOLE_ANSWERS), STREAM].sort()).toEqual(own.sort())
})

/** Its answer never ends: what it tells is in `LIVE_EVENTS`. */
const STREAM = 'GET /console/api/events'
