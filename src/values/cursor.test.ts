import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'

test.each(['2 019a8475-0000-7000-8000-000000000000', '', 'é ↔ 1', '["a",null,1]'])(
  '%j survives a round trip',
  (text) => {
    expect(decodeCursor(encodeCursor(text))).toBe(text)
  },
)

test.each(['not base64url!', 'MQ==', 'MR', '_w'])('%s is not a cursor', (text) => {
  expect(decodeCursor(text)).toBeUndefined()
})
