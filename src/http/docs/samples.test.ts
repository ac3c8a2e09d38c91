import { expect, test } from 'vitest'
import { resolver } from './document.ts'
import { clientSamples } from './samples.ts'

const resolve = resolver({})
const text = (operation: object) => clientSamples(resolve, { operation }).map((sample) => sample.text)

test('an operation is shown as each client calls it: path first, then the fields', () => {
  const schema = {
    type: 'object',
    properties: {
      from: { type: 'string', examples: ["O'Neill"] },
      tags: { type: 'array', items: { type: 'string' }, examples: [['a', 'b']] },
      urgent: { type: 'boolean', examples: [true] },
      values: { type: 'object', examples: [{ 'first name': null }] },
    },
  }
  const operation = {
    'x-client-method': 'letters.pages.send',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', examples: ['7'] } }],
    requestBody: { content: { 'application/json': { schema } } },
  }
  expect(text(operation)).toEqual([
    `await gangan.letters.pages.send('7', { from: 'O\\'Neill', tags: ['a', 'b'], urgent: true, values: { 'first name': null } })`,
    `gangan.letters.pages.send("7", from_="O'Neill", tags=["a", "b"], urgent=True, values={"first name": None})`,
    `$gangan->letters->pages->send('7', ['from' => 'O\\'Neill', 'tags' => ['a', 'b'], 'urgent' => true, 'values' => ['first name' => null]]);`,
  ])
})

test('what is asked without a body needs only what is required', () => {
  const parameters = [
    { name: 'recipient', in: 'query', required: true, schema: { type: 'string', examples: ['234'] } },
    { name: 'limit', in: 'query', schema: { type: 'integer', examples: [5] } },
  ]
  expect(text({ 'x-client-method': 'otp.list', parameters })).toEqual([
    `await gangan.otp.list({ recipient: '234' })`,
    `gangan.otp.list(recipient="234")`,
    `$gangan->otp->list(['recipient' => '234']);`,
  ])
})

test('what clients leave out is shown as curl alone', () => {
  expect(text({})).toEqual([])
})
