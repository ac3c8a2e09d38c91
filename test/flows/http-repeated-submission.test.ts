import { expect, onTestFinished, test } from 'vitest'
import type { Treatment } from '../../src/emulators/vendor/vendor.ts'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { routeTo, startVendor } from '../support/http-vendor.ts'
import { openService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

/** A vendor that recognises repeated messages gets the message again when its response is lost. */

const TO = '2348031234567'

type Message = { deliveries: { status: string; refunded: boolean }[] }

/** A vendor that accepts the first message and closes the connection, and another carrier that could replace it. */
async function open(later: Treatment) {
  const smsc = await startSmsc()
  let requests = 0
  const vendor = await startVendor('smsgate', () => ((requests += 1) === 1 ? { made: 'drops' } : later))
  const service = await openService({
    settings: { carriers: [vendor.settings('vendor'), smppCarrier(smsc.port)], routes: [routeTo('vendor', 'mtn')] },
    config: { sandbox: true },
  })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  onTestFinished(async () => {
    await service.close()
    await vendor.close()
    await smsc.stop()
  })
  const { body } = await service.call<{ id: string }>('POST', '/sms/send', { recipients: TO, content: 'Hello' })
  const delivery = async () => (await service.call<Message>('GET', `/sms/${body.id}`)).body.deliveries[0]
  const comesTo = async (status: string) => {
    const found = await until('the response', async () => {
      const one = await delivery()
      return one?.status !== 'queued' && one
    })
    expect(found).toMatchObject({ status, refunded: false })
  }
  return { smsc, vendor, service, delivery, comesTo }
}

test.each([
  ['has too much to do', { made: 'put_off' }],
  ['refuses it', { made: 'refused' }],
] as const)(
  'a message it may have is unknown if it %s the second time, and no other carrier gets it',
  async (_, later) => {
    const { smsc, vendor, service, delivery, comesTo } = await open(later)
    await comesTo('unknown')
    expect([vendor.requests, vendor.taken.length, smsc.handsets.shown.length]).toEqual([2, 1, 0])
    expect(await vendor.report(TO, 'delivered')).toBe(true)
    await until('its report', async () => (await delivery())?.status === 'delivered')
    expect(await auditMoney(service.db)).toEqual([])
  },
)

test('an inconclusive response is retried, and the second response counts', async () => {
  const { smsc, vendor, comesTo } = await open({ made: 'taken' })
  await comesTo('sent')
  expect([vendor.requests, vendor.taken.length, smsc.handsets.shown.length]).toEqual([2, 1, 0])
})
