import { expect, test } from 'vitest'
import { makeRequestSampler, type Call } from './sampler.ts'

const call = (request_id: string, status = 200): Call => {
  const said = { body: undefined, answer: undefined }
  return { request_id, method: 'POST', path: '/sms/send', status, ms: 1, key_id: null, ...said, answered_ms: 0 }
}

test('few calls are all kept, in their order', () => {
  const sampler = makeRequestSampler()
  for (let n = 0; n < 5; n += 1) sampler.note('a', 200, () => call(String(n)))
  const { seen, calls } = sampler.drain().get('a')!
  expect(seen).toBe(5)
  expect(calls.map(({ request_id }) => request_id)).toEqual(['0', '1', '2', '3', '4'])
  expect(sampler.drain().size).toBe(0)
})

test('of many a sample is kept, failures before all, and hardly anything is worked out for the rest', () => {
  const sampler = makeRequestSampler()
  let described = 0
  const note = (id: string, status: number) => {
    sampler.note('a', status, () => {
      described += 1
      return call(id, status)
    })
  }
  for (let n = 0; n < 10_000; n += 1) note(`call ${n}`, n % 1_000 === 999 ? 500 : 200)
  const { seen, calls } = sampler.drain().get('a')!
  expect(seen).toBe(10_000)
  expect(calls).toHaveLength(20)
  expect(calls.filter(({ status }) => status === 500)).toHaveLength(10)
  expect(new Set(calls.map(({ request_id }) => request_id)).size).toBe(20)
  expect(described).toBeLessThan(1_000)
})

test('the sample is of all of the time, not of its beginning', () => {
  let late = 0
  for (let round = 0; round < 50; round += 1) {
    const sampler = makeRequestSampler()
    for (let n = 0; n < 400; n += 1) sampler.note('a', 200, () => call(String(n)))
    late += sampler
      .drain()
      .get('a')!
      .calls.filter(({ request_id }) => Number(request_id) >= 200).length
  }
  expect(late).toBeGreaterThan(350) // of 1,000; half of them, give or take
  expect(late).toBeLessThan(650)
})

test('organisations share the sample equally, however many requests one makes', () => {
  const sampler = makeRequestSampler()
  const round = () => {
    for (let n = 0; n < 5_000; n += 1) sampler.note('loud', 200, () => call('x'))
    for (let n = 0; n < 300; n += 1) sampler.note(`quiet ${n}`, 200, () => call('x'))
    return sampler.drain()
  }
  for (const bursts of [round(), round()]) {
    const kept = [...bursts.values()].reduce((sum, { calls }) => sum + calls.length, 0)
    expect(kept).toBeLessThanOrEqual(400)
    expect(bursts.get('quiet 299')?.calls).toHaveLength(1)
  }
})
