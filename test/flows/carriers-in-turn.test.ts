import { expect, onTestFinished, test } from 'vitest'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { ARRIVES, startVendor } from '../support/http-vendor.ts'
import { phoneCarrier, startPhone, untilPresent, type Aired } from '../support/phone.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const FIRST = '2348039999999'

/** The carrier each number was submitted to, once all messages have arrived. */
async function arrive(service: TestService, numbers: readonly string[]): Promise<Set<string>> {
  const body = { recipients: numbers.join(), content: 'Hello' }
  const answer = await service.call<{ id: string }>('POST', '/sms/send', body)
  expect(answer.status).toBe(200)
  const rows = await until(
    'all of them to have arrived',
    async () => {
      const found = await service.db<{ carrier: string }[]>`
        select carrier from deliveries where message_id = ${answer.body.id} and status = 'delivered'`
      return found.length === numbers.length && found
    },
    60_000,
  )
  return new Set(rows.map(({ carrier }) => carrier))
}

test('a phone, a vendor and an SMPP carrier fail over to each other, and every message arrives once', async () => {
  const smsc = await startSmsc()
  let vendor_refuses = false
  const vendor = await startVendor('termii', () => (vendor_refuses ? { made: 'refused_here' } : ARRIVES))
  const carriers = [phoneCarrier({ take_within_s: 5 }), vendor.settings('vendor'), smppCarrier(smsc.port)]
  const routes = [{ name: 'line', channel: 'sms', carriers: ['phones', 'vendor', 'mtn'], failover_after_s: 1 }]
  const service = await openService({ settings: { carriers, routes }, config: { sandbox: true } })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  const aired: Aired[] = []
  const phone = startPhone(service, 'one', aired)
  onTestFinished(async () => {
    phone.kill()
    await service.close()
    await vendor.close()
    await smsc.stop()
  })
  const numbers = Array.from({ length: 9 }, (_, n) => String(2_348_031_000_000 + n))
  await untilPresent(service, 'one')
  // Its presence is stored before the route is notified; until then the vendor may replace it.
  await until('the route to be notified', async () => (await arrive(service, [FIRST])).has('phones'))

  expect(await arrive(service, numbers.slice(0, 3))).toEqual(new Set(['phones']))
  await phone.quiet()
  phone.kill()
  expect(await arrive(service, numbers.slice(3, 6))).toEqual(new Set(['vendor']))
  vendor_refuses = true
  expect(await arrive(service, numbers.slice(6))).toEqual(new Set(['mtn']))

  const went = [...aired, ...vendor.taken, ...smsc.handsets.shown].map(({ to }) => to.replace('+', ''))
  expect(went.filter((to) => to !== FIRST).sort()).toEqual(numbers)
  expect(await auditMoney(service.db)).toEqual([])
})
