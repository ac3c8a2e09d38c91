import { expect, test } from 'vitest'
import { readFacts } from './templates.ts'

test('parameters are distinct: numbers in ascending order, names in order of appearance', () => {
  const body = (text: string) => readFacts([{ type: 'BODY', text }]).body
  expect(body('Hello {{2}}, {{1}} and {{2}} again, {{ 10 }}')).toEqual(['1', '2', '10'])
  expect(body('Hello {{first_name}}, your order {{order}}')).toEqual(['first_name', 'order'])
  expect(body('Nothing to fill in')).toEqual([])
})

test.each([
  [[{ type: 'HEADER', format: 'TEXT', text: 'News' }], undefined],
  [[{ type: 'HEADER', format: 'TEXT', text: 'News for {{1}}' }], 'its header takes a value'],
  [[{ type: 'HEADER', format: 'IMAGE' }], 'its header is of the format image'],
  [[{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] }], undefined],
  [[{ type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://a.example/{{1}}' }] }], 'a button of it takes a value'],
  ['nonsense', undefined],
])('a header or button with a value makes a template unfillable', (components, fault) => {
  expect(readFacts(components).unfillable).toBe(fault)
})
