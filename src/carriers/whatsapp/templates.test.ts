import { expect, test } from 'vitest'
import { readShape } from './templates.ts'

const shapeOf = (components: unknown, category = 'UTILITY') => readShape({ category, components })

test('parameters are distinct: numbers in ascending order, names in order of appearance', () => {
  const names = (text: string) => shapeOf([{ type: 'BODY', text }]).body.names
  expect(names('Hello {{2}}, {{1}} and {{2}} again, {{ 10 }}')).toEqual(['1', '2', '10'])
  expect(names('Hello {{first_name}}, your order {{order}}')).toEqual(['first_name', 'order'])
  expect(names('Nothing to fill in')).toEqual([])
})

test.each([
  [[{ type: 'HEADER', format: 'TEXT', text: 'News' }], { format: 'text', names: [] }],
  [[{ type: 'header', text: 'News for {{1}}' }], { format: 'text', names: ['1'] }],
  [[{ type: 'HEADER', format: 'IMAGE' }], { format: 'image' }],
  [[{ type: 'HEADER', format: 'LOCATION' }], { format: 'location' }],
])('a header takes a text, a file, a location or nothing', (components, header) => {
  expect(shapeOf(components).header).toMatchObject(header)
})

test('buttons take a value by their type', () => {
  const buttons = [
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'URL', url: 'https://a.example/{{1}}' },
    { type: 'URL', url: 'https://a.example/' },
    { type: 'COPY_CODE', example: 'X' },
    { type: 'URL', url: 'https://www.whatsapp.com/otp/code/?code={{1}}' },
    { type: 'PHONE_NUMBER', phone_number: '+15550783881' },
  ]
  expect(shapeOf([{ type: 'BUTTONS', buttons }]).buttons).toEqual([
    { takes: 'payload' },
    { takes: 'url', prefix: 'https://a.example/' },
    { takes: 'nothing' },
    { takes: 'code' },
    { takes: 'otp' },
    { takes: 'nothing' },
  ])
})

test('the cards of a carousel have shapes of their own', () => {
  const components = [
    { type: 'HEADER', format: 'VIDEO' },
    { type: 'BODY', text: 'Only {{1}}' },
  ]
  const { cards } = shapeOf([
    { type: 'BODY', text: 'Look' },
    { type: 'CAROUSEL', cards: [{ components }, {}] },
  ])
  expect(cards).toMatchObject([{ header: { format: 'video' }, body: { names: ['1'] } }, { body: { names: [] } }])
})

test('an authentication template takes one value, whatever its text says', () => {
  expect(shapeOf([{ type: 'BODY' }], 'AUTHENTICATION')).toMatchObject({
    is_authentication: true,
    body: { names: ['1'] },
  })
})

test.each([
  [[{ type: 'LIMITED_TIME_OFFER' }], 'a component of the type limited_time_offer is not supported'],
  [[{ type: 'HEADER', format: 'PRODUCT' }], 'a header of the format product is not supported'],
  [[{ type: 'BUTTONS', buttons: [{ type: 'CATALOG' }] }], 'a button of the type catalog is not supported'],
  [
    [{ type: 'CAROUSEL', cards: [{ components: [{ type: 'BUTTONS', buttons: [{ type: 'SPM' }] }] }] }],
    'a button of the type spm is not supported',
  ],
  ['nonsense', undefined],
])('a component that no message can fill makes a template unfillable', (components, fault) => {
  expect(shapeOf(components).unfillable).toBe(fault)
})
