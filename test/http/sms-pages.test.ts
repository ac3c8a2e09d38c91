import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeSubmit } from '../../src/carriers/smpp/carrier/compose-submit.ts'
import type { SmppSettings } from '../../src/carriers/smpp/schema.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { pageTexts } from '../support/page-texts.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'

type Estimate = { charge: number; encoding: string; pages: number }
type Answer = {
  id?: string
  meta?: { estimate: Estimate }
  errors?: { field: string; type: string; message: string }[]
}

const ALPHABETS = ['gsm7', 'latin1', 'ascii', 'gsm7-packed']
const LONG = ['udh8', 'udh16', 'sar', 'payload']
const PROFILES = ALPHABETS.flatMap((alphabet) => LONG.map((long) => ({ alphabet, long })))

let service: TestService
let by: Organisation
beforeAll(async () => {
  const carriers = PROFILES.map((profile, n) => smppCarrier(1, { name: `carrier-${n}`, profile }))
  const routes = PROFILES.map((_, n) => ({
    name: `route-${n}`,
    channel: 'sms',
    prefix: `2347${10 + n}`,
    carrier: `carrier-${n}`,
  }))
  service = await openService({ settings: { carriers, routes }, workers: false })
  by = await service.organisation({ credit: 10_000_000 })
})
afterAll(() => service.close())

/** The segments that the carrier's encoder makes of it, and whether they are UCS-2. */
function onTheLine(content: string, n: number): { pages: number; encoding: string } {
  const { profile } = service.config.settings.carriers[n] as SmppSettings
  const message = { organisation_id: 'o', message_id: 'm', recipient: '1', sender_id: 'Gangan', text: content }
  const wish = { ...message, channel: 'sms' as const, expires_in_s: null, attempt: 1, urgent: false }
  const parts = composeSubmit(wish, profile, 1)
  const pages = parts.reduce((sum, { segments }) => sum + segments, 0)
  return { pages, encoding: parts[0]?.sm.data_coding === 8 ? 'UCS-2' : 'GSM' }
}

async function deliveriesOf(id: string | undefined): Promise<{ pages: number; charge: number }[]> {
  if (id === undefined) return []
  const { body } = await by.call<{ deliveries: { pages: number; charge: number }[] }>('GET', `/sms/${id}`)
  return body.deliveries.map(({ pages, charge }) => ({ pages, charge }))
}

test('any text on any carrier: the estimated, limited and charged pages are those its encoder sends', async () => {
  const any_ways = fc.uniqueArray(fc.nat(PROFILES.length - 1), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(pageTexts, any_ways, async (content, ways) => {
      const recipients = ways.map((n) => `2347${10 + n}0000000`)
      const sizes = ways.map((n) => onTheLine(content, n))
      const pages = Math.max(...sizes.map((size) => size.pages))
      const estimated = await by.call<Answer>('POST', '/sms/estimate', { recipients, content })
      const sent = await by.call<Answer>('POST', '/sms/send', { recipients, content })
      const refused = pages > 10
      const message = `The text is ${pages} pages long; at most 10 are sent.`
      const errors = refused ? [{ field: 'content', message, type: 'string_too_long' }] : undefined
      for (const { status, body } of [estimated, sent]) {
        expect({ status, errors: body.errors }).toEqual({ status: refused ? 400 : 200, errors })
        expect(body.meta?.estimate.pages).toBe(refused ? undefined : pages)
        expect(body.meta?.estimate.charge).toBe(
          refused ? undefined : 4 * sizes.reduce((sum, size) => sum + size.pages, 0),
        )
      }
      const encodings = refused
        ? [undefined]
        : sizes.filter((size) => size.pages === pages).map((size) => size.encoding)
      expect(encodings).toContain(sent.body.meta?.estimate.encoding)
      const deliveries = refused ? [] : sizes.map((size) => ({ pages: size.pages, charge: 4 * size.pages }))
      expect(await deliveriesOf(sent.body.id)).toEqual(deliveries)
    }),
    { numRuns: 80 },
  )
})
