import Fastify from 'fastify'
import { Type } from '../../values/schema/type.ts'
import { expect, test } from 'vitest'
import type { HttpDeps } from '../deps.ts'
import { addRoutes } from './add-routes.ts'
import { route, type Route } from './route.ts'

const text = {
  method: 'GET',
  path: '/words/:word',
  summary: 'Read a word',
  tag: 'Words',
  operation: 'words.get',
  description: 'One of many.',
  errors: [],
} as const
const Word = Type.Object({ word: Type.String() })
const Meta = Type.Object({ method: Type.String(), resource: Type.String() })
const List = Type.Object({
  words: Type.Array(Type.String()),
  meta: Type.Object({ ...Meta.properties, pagination: Type.Object({ page: Type.Integer() }) }),
})
const Many = Type.Object({ many: Type.Optional(Type.Integer()) })

test('an invalid declaration does not compile', () => {
  const wrong = [
    // @ts-expect-error a route for keys says its scope
    route({ ...text, run: () => undefined }),
    // @ts-expect-error there is no such scope
    route({ ...text, scope: 'words', run: () => undefined }),
    // @ts-expect-error a key or a person, not both
    route({ ...text, scope: 'sms', who: 'operator', run: () => undefined }),
    // @ts-expect-error the answer is another
    route({ ...text, scope: 'sms', answer: Word, run: () => ({ word: 7 }) }),
    // @ts-expect-error without an answer nothing is given
    route({ ...text, scope: 'sms', run: () => ({ word: 'a' }) }),
    // @ts-expect-error a list comes with its pagination
    route({ ...text, scope: 'sms', answer: List, run: () => ({ words: [] }) }),
    // @ts-expect-error with adds_faults a field may be absent
    route({ ...text, scope: 'sms', body: Word, adds_faults: true, run: ({ body }) => void body.word.length }),
    // @ts-expect-error a visitor has chosen no organisation
    route({ ...text, who: 'visitor', run: ({ caller }) => caller.organisation_id }),
  ]
  expect(wrong).toHaveLength(8)
})

/** The answer of one route to a request. */
async function answerOf(one: Route, request: { method?: 'GET' | 'HEAD'; url: string }) {
  const app = Fastify()
  app.setErrorHandler((fault, _request, reply) => reply.code(400).send({ refused: (fault as Error).message }))
  addRoutes(app, {} as HttpDeps, [one])
  const { statusCode, headers, body } = await app.inject(request)
  await app.close()
  return { status: statusCode, type: headers['content-type'], body }
}

const open = { ...text, who: 'public' } as const

test('meta has the request and the fields of the module; pagination moves into it', async () => {
  const list = route({
    ...open,
    answer: List,
    run: ({ url }) => ({ words: [url], pagination: { page: 2 } }),
  })
  expect(JSON.parse((await answerOf(list, { url: '/words/a?many=2' })).body)).toEqual({
    words: ['/words/a?many=2'],
    meta: { method: 'GET', resource: '/words/a', pagination: { page: 2 } },
  })
  const Charged = Type.Object({ word: Type.String(), meta: Type.Object({ ...Meta.properties, charge: Type.Number() }) })
  const charged = route({ ...open, answer: Charged, run: () => ({ word: 'a', meta: { charge: 3 } }) })
  expect((await answerOf(charged, { url: '/words/a' })).body).toBe(
    '{"word":"a","meta":{"method":"GET","resource":"/words/a","charge":3}}',
  )
})

test('an answer without meta is returned unchanged, and undefined is a 204', async () => {
  const word = route({ ...open, params: Word, answer: Word, run: ({ params }) => params })
  expect((await answerOf(word, { url: '/words/b' })).body).toBe('{"word":"b"}')
  expect(await answerOf(route({ ...open, run: () => undefined }), { url: '/words/b' })).toMatchObject({
    status: 204,
    body: '',
  })
})

test('a receipt is sent as JSON text, and lines as a file', async () => {
  const receipt = route({
    ...open,
    answer: Word,
    receipt: true,
    run: () => ({ answer: '{"word": 1}', replayed: true }),
  })
  expect(await answerOf(receipt, { url: '/words/c' })).toEqual({
    status: 200,
    type: 'application/json; charset=utf-8',
    body: '{"word": 1}',
  })
  async function* lines(): AsyncGenerator<string> {
    yield 'a\n'
    yield 'b\n'
  }
  const file = route({ ...open, file: 'words.csv', run: () => lines() })
  expect(await answerOf(file, { url: '/words/c' })).toEqual({
    status: 200,
    type: 'text/csv; charset=utf-8',
    body: 'a\nb\n',
  })
})

test('an invalid request is rejected before run, unless the route adds errors of its own', async () => {
  const whole = route({ ...open, query: Many, answer: Word, run: () => ({ word: 'ran' }) })
  expect(await answerOf(whole, { url: '/words/d?many=few' })).toMatchObject({
    status: 400,
    body: '{"refused":"The request is invalid."}',
  })
  const adds = route({
    ...open,
    query: Many,
    adds_faults: true,
    answer: Word,
    run: ({ shape_faults }) => ({ word: shape_faults.map(({ field, type }) => `${field} ${type}`).join() }),
  })
  expect((await answerOf(adds, { url: '/words/d?many=few' })).body).toBe('{"word":"many number_type"}')
  expect((await answerOf(adds, { url: '/words/d?many=2' })).body).toBe('{"word":""}')
})

test('HEAD is served like GET unless no_head is set; aliases of the path work', async () => {
  const word = route({ ...open, also_at: ['/w/:word'], answer: Word, run: () => ({ word: 'e' }) })
  expect((await answerOf(word, { method: 'HEAD', url: '/words/e' })).status).toBe(200)
  expect((await answerOf(word, { url: '/w/e' })).body).toBe('{"word":"e"}')
  expect((await answerOf({ ...word, no_head: true }, { method: 'HEAD', url: '/words/e' })).status).toBe(404)
})
