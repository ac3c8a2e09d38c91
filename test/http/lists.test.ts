import { expect, test } from 'vitest'
import { Settings } from '../../src/config/settings.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'

type Schema = { type?: string | string[]; items?: unknown; maxItems?: number }

/** Every array of a schema, with its path, and whether it declares its maximum length. */
function lists(schema: unknown, place: string): { place: string; bounded: boolean }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, items, maxItems } = schema as Schema
  const own = [type].flat().includes('array') || items !== undefined ? [{ place, bounded: maxItems !== undefined }] : []
  const inner = Object.entries(schema).filter(([key]) => !['examples', 'default', 'enum'].includes(key))
  return [...own, ...inner.flatMap(([key, value]) => lists(value, `${place}.${key}`))]
}

test('every array in requests, in responses of the public API and in the configuration declares its maximum length', async () => {
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
