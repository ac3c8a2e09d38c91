import { expect, test } from 'vitest'
import { Settings } from '../../src/config/settings.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'

type Schema = { type?: string | string[]; items?: unknown; maxItems?: number }

/** Every list of a schema, with its place, and whether it says how long it may be. */
function lists(schema: unknown, place: string): { place: string; bounded: boolean }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, items, maxItems } = schema as Schema
  const own = [type].flat().includes('array') || items !== undefined ? [{ place, bounded: maxItems !== undefined }] : []
  const inner = Object.entries(schema).filter(([key]) => !['examples', 'default', 'enum'].includes(key))
  return [...own, ...inner.flatMap(([key, value]) => lists(value, `${place}.${key}`))]
}

test('every list in requests, in answers of the public API and in the configuration says how long it may be', async () => {
  const found = lists(Settings, 'configuration')
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url, schema }) => {
      const { response, ...request } = { response: undefined, ...schema }
      const shapes = url.startsWith('/console/api') ? request : { ...request, response }
      found.push(...lists(shapes, `${String(method)} ${url}`))
    })
  })
  await app.close()
  expect(found.length).toBeGreaterThan(150)
  expect(found.filter(({ bounded }) => !bounded).map(({ place }) => place)).toEqual([])
})
