import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FAILURES, says, startProvider, type Provider } from '../../../test/support/provider.ts'
import type { NumberDirectory } from '../number-directory.ts'
import { startHlr } from './hlr.ts'
import type { HlrSettings } from './schema.ts'

const NUMBER = '2348031234567'
const log = { info: () => {}, warn: () => {}, error: () => {} }

let provider: Provider
let clock: number
const open: NumberDirectory[] = []

beforeEach(async () => {
  provider = await startProvider()
  clock = 1_000_000
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((hlr) => hlr.stop()))
  await provider.close()
})

function directory(settings: Partial<HlrSettings> = {}) {
  const hlr = startHlr(
    { log, now: () => clock },
    {
      kind: 'http',
      name: 'test',
      url: `${provider.url}/v1?number={msisdn}`,
      method: 'GET',
      headers: {},
      timeout_ms: 10_000,
      connections: 4,
      fields: { operator: 'network', ported: 'ported', dnd: 'dnd' },
      operators: {},
      ...settings,
    },
  )
  open.push(hlr)
  return hlr
}

const timeout = () => AbortSignal.timeout(10_000)

describe('a lookup provider', () => {
  test('is called with the configured request and read at the configured paths', async () => {
    provider.answer = says({ results: [{ net: { code: 62_130 }, moved: 'YES', quiet: 0 }] })
    const hlr = directory({
      method: 'POST',
      url: `${provider.url}/lookup`,
      headers: { authorization: 'Basic eDp5' },
      body: '{"n":"{msisdn}"}',
      fields: { operator: 'results.0.net.code', ported: 'results.0.moved', dnd: 'results.0.quiet' },
      operators: { '62130': 'MTN' },
    })
    expect(await hlr.ask(NUMBER, timeout())).toEqual({ operator: 'MTN', ported: true, dnd: false })
    expect(provider.asked).toMatchObject([
      { method: 'POST', url: '/lookup', body: `{"n":"${NUMBER}"}`, headers: { authorization: 'Basic eDp5' } },
    ])
  })

  test('may answer some fields only', async () => {
    provider.answer = says({ dnd: true })
    expect(await directory().ask(NUMBER, timeout())).toEqual({ dnd: true })
    expect(provider.asked[0]?.url).toBe(`/v1?number=${NUMBER}`)
  })

  test('is called once for concurrent lookups of the same number', async () => {
    provider.answer = says({ network: 'Glo' })
    const hlr = directory()
    const answers = await Promise.all([hlr.ask(NUMBER, timeout()), hlr.ask(NUMBER, timeout())])
    expect(answers).toEqual([{ operator: 'Glo' }, { operator: 'Glo' }])
    expect(provider.asked).toHaveLength(1)
  })
})

describe('a lookup provider that fails', () => {
  test.each(Object.entries(FAILURES))('because it %s: no answer, no error', async (_, answer) => {
    provider.answer = answer
    expect(await directory({ timeout_ms: 300 }).ask(NUMBER, timeout())).toBeUndefined()
  })

  test('does not outlast the time limit of the caller', async () => {
    provider.answer = () => {}
    expect(await directory({ timeout_ms: 20_000 }).ask(NUMBER, AbortSignal.timeout(20))).toBeUndefined()
  })

  test('because it cannot be reached: no answer', async () => {
    expect(await directory({ url: 'http://127.0.0.1:1/' }).ask(NUMBER, timeout())).toBeUndefined()
  })

  test('is not called for a while after five consecutive failures; an unknown number is no failure', async () => {
    const hlr = directory()
    provider.answer = says({}, 404)
    for (let n = 0; n < 6; n += 1) await hlr.ask(NUMBER, timeout())
    expect(provider.asked).toHaveLength(6)
    provider.answer = says('', 500)
    for (let n = 0; n < 8; n += 1) expect(await hlr.ask(NUMBER, timeout())).toBeUndefined()
    expect(provider.asked).toHaveLength(11)
    clock += 10_000
    provider.answer = says({ network: 'Glo' })
    expect(await hlr.ask(NUMBER, timeout())).toEqual({ operator: 'Glo' })
    expect(await hlr.ask(NUMBER, timeout())).toEqual({ operator: 'Glo' })
  })
})
