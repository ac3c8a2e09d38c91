import { describe, expect, test } from 'vitest'
import { isId } from '../values/id.ts'
import { endpointLane, laneOf, newEvent, type CallbackEvent } from './enqueue.ts'

const ONE = '01890000-0000-7000-8000-000000000001'
const OTHER = '01890000-0000-7000-8000-000000000002'

describe('a lane', () => {
  test('is one per organisation and host', () => {
    const lane = endpointLane(ONE, 'https://example.com/reports')
    // It is stored with the callback, so another version of ours must come to the same.
    expect(lane).toBe('eb0ec4a7-8e5c-9199-2561-39d1ea488812')
    expect(endpointLane(ONE, 'https://example.com/other?a=b')).toBe(lane)
    expect(endpointLane(ONE, 'https://example.com:8443/reports')).not.toBe(lane)
    expect(endpointLane(ONE, 'http://example.com/reports')).not.toBe(lane)
    expect(endpointLane(OTHER, 'https://example.com/reports')).not.toBe(lane)
  })

  test('is its own for a registered endpoint', () => {
    const url = 'https://example.com/reports'
    expect(laneOf(ONE, { webhook_id: OTHER, url })).toBe(OTHER)
    expect(laneOf(ONE, { webhook_id: null, url })).toBe(endpointLane(ONE, url))
  })
})

describe('newEvent', () => {
  const event = (url: string | null): CallbackEvent => ({
    type: 'text.delivered',
    url,
    subject_id: OTHER,
    created_datetime: '2026-11-14T23:42:46.539766+00:00',
    data: { status: 'delivered' },
  })

  test('writes an event as it is stored and posted', () => {
    const written = newEvent(ONE, event('https://example.com/a'))
    expect(isId(written.id)).toBe(true)
    expect(written).toEqual({
      organisation_id: ONE,
      id: written.id,
      type: 'text.delivered',
      body: `{"id":"${written.id}","type":"text.delivered","created_datetime":"2026-11-14T23:42:46.539766+00:00","data":{"status":"delivered"}}`,
      url: 'https://example.com/a',
      lane: endpointLane(ONE, 'https://example.com/a'),
      subject_id: OTHER,
      leased: false,
    })
  })

  test('gives each its id, and its lane if it has a url', () => {
    const urls = ['https://one.example/', null, 'https://two.example/', 'https://one.example/']
    const written = urls.map((url) => newEvent(ONE, event(url)))
    expect(new Set(written.map(({ id }) => id)).size).toBe(4)
    expect(written.map(({ lane }) => lane)).toEqual(urls.map((url) => url && endpointLane(ONE, url)))
  })
})
