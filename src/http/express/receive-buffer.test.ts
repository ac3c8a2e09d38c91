import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { ReceiveBuffer } from './receive-buffer.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('is the bytes that came, in order, less those that were dropped', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 600 }), fc.nat({ max: 700 })))
  fc.assert(
    fc.property(steps, (all) => {
      const pieces = new ReceiveBuffer()
      let expected = Buffer.alloc(0)
      for (const step of all) {
        if (typeof step === 'number') {
          const count = Math.min(step, expected.length)
          expected = expected.subarray(count)
          pieces.drop(count)
        } else {
          expected = Buffer.concat([expected, step])
          pieces.add(Buffer.from(step))
        }
        expect(pieces.length).toBe(expected.length)
        expect(Buffer.compare(pieces.bytes ?? Buffer.alloc(0), expected)).toBe(0)
      }
    }),
  )
})

test('one piece is not copied, and of many each byte only a few times', () => {
  let copied = 0
  const { copy } = Buffer.prototype
  vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...args: unknown[]) {
    copied += this.length
    return Reflect.apply(copy, this, args)
  })
  const pieces = new ReceiveBuffer()
  const whole = Buffer.from('in one piece')
  pieces.add(whole)
  expect(pieces.bytes).toBe(whole)
  expect(copied).toBe(0)
  pieces.drop(whole.length)
  for (let n = 0; n < 20_000; n++) pieces.add(Buffer.from('x'))
  expect(pieces.length).toBe(20_000)
  expect(copied).toBeLessThan(3 * 20_000)
})
