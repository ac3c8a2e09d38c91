import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { anyPdu } from '../../../test/support/pdus.ts'
import { encodePdu } from './encode-pdu.ts'
import { makeFramer } from './framer.ts'
import { makePdu } from './pdu.ts'

function collect() {
  const frames: Buffer[] = []
  return { frames, framer: makeFramer((frame) => frames.push(Buffer.from(frame))) }
}

describe('a framer', () => {
  test('finds the same frames however the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(anyPdu(), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 40 }),
        (pdus, sizes) => {
          const wanted = pdus.map(encodePdu)
          const stream = Buffer.concat(wanted)
          const { frames, framer } = collect()
          for (let at = 0, n = 0; at < stream.length; n++) {
            const end = at + sizes[n % sizes.length]!
            expect(framer.push(stream.subarray(at, end))).toBe(true)
            at = end
          }
          expect(frames).toEqual(wanted)
          expect(framer.partial).toBe(false)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('emits no frame while held, and loses none', () => {
    const wanted = [1, 2, 3, 4].map((sequence_number) => encodePdu(makePdu('enquire_link', { sequence_number })))
    const stream = Buffer.concat(wanted)
    const frames: Buffer[] = []
    const framer = makeFramer((frame) => {
      frames.push(Buffer.from(frame))
      framer.hold()
    })
    framer.push(stream.subarray(0, 50))
    expect([frames, framer.partial]).toEqual([wanted.slice(0, 1), false])
    framer.push(stream.subarray(50))
    expect(frames).toHaveLength(1)
    for (const count of [2, 3, 4, 4]) {
      expect(framer.release()).toBe(true)
      expect(frames).toEqual(wanted.slice(0, count))
    }
    framer.push(Buffer.from([0, 0, 0, 1]))
    expect(framer.release()).toBe(false)
  })

  test('detects a partial PDU', () => {
    const { frames, framer } = collect()
    const octets = encodePdu(makePdu('enquire_link', { sequence_number: 1 }))
    framer.push(octets.subarray(0, 3))
    expect(framer.partial).toBe(true)
    framer.push(octets.subarray(3))
    expect(framer.partial).toBe(false)
    expect(frames).toEqual([octets])
  })

  test.each([
    ['too short', '0000000f'],
    ['too long', '00010001'],
    ['as if HTTP had come', '48545450'],
  ])('rejects a length %s permanently, in one chunk or several', (_name, length) => {
    const octets = Buffer.concat([Buffer.from(length, 'hex'), Buffer.alloc(100)])
    const whole = collect()
    expect(whole.framer.push(octets)).toBe(false)
    const pieces = collect()
    expect([...octets].map((octet) => pieces.framer.push(Buffer.from([octet]))).at(-1)).toBe(false)
    expect(pieces.framer.push(encodePdu(makePdu('enquire_link')))).toBe(false)
    expect([...whole.frames, ...pieces.frames]).toEqual([])
  })

  test('joins the largest PDU from single octets in linear time', () => {
    const tlvs = [{ tag: 0x0424, value: Buffer.alloc(65_536 - 20) }]
    const octets = encodePdu(makePdu('enquire_link', { tlvs }))
    const { frames, framer } = collect()
    const concat = vi.spyOn(Buffer, 'concat')
    for (const octet of octets) framer.push(Buffer.from([octet]))
    const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
    concat.mockRestore()
    expect(frames).toEqual([octets])
    expect(copied).toBe(octets.length)
  })
})
