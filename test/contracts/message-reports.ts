import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { loseAll } from '../support/intake.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { does, type Network } from './message-network.ts'
import { houseOptions, openStage, type Stage } from './message-stage.ts'

const LONG = `${'It is a long way to Ibadan. '.repeat(14)}The end.`

export function promisesOfReports(name: string, network: Network): void {
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage(network)
  })
  beforeEach(() => stage.newCustomer())
  afterAll(() => stage.close())

  describe(`a report of ${name}`, () => {
    const ends = [
      ['delivers', 'delivered'],
      ['delivers_twice', 'delivered'],
      ['delivers_early', 'delivered'],
      ['loses', 'undelivered'],
    ] as const
    const possible = ends.filter(([mood]) => does(network, mood))
    test.each(possible)('when it %s: %s, charged, and notified once', async (mood, status) => {
      const sent = await stage.send(mood)
      await stage.reaches(sent, status)
      await stage.settled()
      expect(await stage.deliveryOf(sent)).toMatchObject({ status, refunded: false })
      expect(await stage.eventsOf(sent)).toEqual([`text.${status}`])
      expect(await stage.spent()).toBeGreaterThan(0)
    })

    test.runIf(does(network, 'disowns'))('that it was never carried, twice: refunded and notified once', async () => {
      const sent = await stage.send('disowns')
      await stage.reaches(sent, 'rejected')
      await stage.settled()
      expect(await stage.deliveryOf(sent)).toMatchObject({ status: 'rejected', refunded: true })
      expect(await stage.eventsOf(sent)).toEqual(['text.rejected'])
      expect(await stage.spent()).toBe(0)
    })

    const whole = (['delivers', 'delivers_twice', 'delivers_early'] as const).filter((mood) => does(network, mood))
    test.each(whole)('on every part of a long text, when it %s: delivered, and notified once', async (mood) => {
      const sent = await stage.send(mood, LONG)
      await stage.reaches(sent, 'delivered')
      await stage.settled()
      expect(await stage.eventsOf(sent)).toEqual(['text.delivered'])
    })

    test.runIf(does(network, 'loses_a_part'))(
      'on parts of which one is lost: undelivered, and notified once',
      async () => {
        const sent = await stage.send('loses_a_part', LONG)
        await stage.reaches(sent, 'undelivered')
        await stage.settled()
        expect(await stage.eventsOf(sent)).toEqual(['text.undelivered'])
      },
    )
  })

  describe(`a message that ${name}`, () => {
    test('refuses is rejected, refunded and notified once', async () => {
      const sent = await stage.send('refuses')
      await stage.reaches(sent, 'rejected')
      await stage.settled()
      expect(await stage.deliveryOf(sent)).toMatchObject({ refunded: true, code: expect.stringMatching(/./) })
      expect(await stage.eventsOf(sent)).toEqual(['text.rejected'])
      expect(await stage.spent()).toBe(0)
    })

    test('puts off goes again, and arrives', async () => {
      const sent = await stage.send('puts_off')
      await stage.reaches(sent, 'delivered')
      await stage.settled()
      expect(await stage.eventsOf(sent)).toEqual(['text.delivered'])
    })

    const unclear = (['hangs', 'drops', 'babbles'] as const).filter((mood) => does(network, mood))
    test.each(unclear)('takes and %s is left open, never sent again, and settled by its report', async (mood) => {
      const sent = await stage.send(mood)
      await stage.reaches(sent, network.knows_our_reference ? 'sent' : 'unknown')
      await stage.settled()
      expect(await stage.deliveryOf(sent)).toMatchObject({ refunded: false })
      expect(await stage.eventsOf(sent)).toEqual([])

      expect(await stage.peer.report?.(sent.recipient)).toBe(true)
      await stage.reaches(sent, 'delivered')
      await stage.settled()
      expect(await stage.eventsOf(sent)).toEqual(['text.delivered'])
      expect(await stage.taken(sent)).toHaveLength(1)
      expect(await stage.spent()).toBeGreaterThan(0)
    })

    test(`was in flight when its worker died is ${network.resubmittable ? 'sent again' : 'left open'}`, async () => {
      const before = await openStage(network, { workers: false })
      await before.newCustomer()
      const sent = await before.send('delivers')
      await loseAll(before.service.db)
      const after = await openService({ ...houseOptions(network, before.peer), beside: before.service })
      before.peer.reports_to = after
      await before.reaches(sent, network.resubmittable ? 'delivered' : 'unknown')
      expect(await before.taken(sent)).toHaveLength(network.resubmittable ? 1 : 0)
      expect(await before.deliveryOf(sent)).toMatchObject({ refunded: false })
      await after.close()
      await before.close()
    })
  })

  describe.runIf(does(network, 'reports_strays'))(`a report of ${name} on an unknown message`, () => {
    test('is acknowledged, and does no harm', async () => {
      const sent = await stage.send('delivers')
      await stage.reaches(sent, 'delivered')
      await stage.settled()
      expect(await stage.peer.reportStray?.()).toBe(true)
      await stage.forgetStrays(1)
      expect(await stage.deliveryOf(sent)).toMatchObject({ status: 'delivered' })
      expect(await stage.eventsOf(sent)).toEqual(['text.delivered'])
    })

    test('is not acknowledged while it cannot be stored', async () => {
      const { db } = stage.service
      await db`alter table reports rename to hidden`
      const acknowledged = await stage.peer.reportStray?.()
      await db`alter table hidden rename to reports`
      expect(acknowledged).toBe(false)
      expect(await stage.peer.reportStray?.()).toBe(true)
      await stage.forgetStrays(1)
    })
  })

  describe.runIf(does(network, 'hands_on_texts'))(`a text that ${name} hands on`, () => {
    const kept = async (text: string) =>
      stage.service.db<{ from: string; channel: string }[]>`
        select "from", channel from inbound_messages where text = ${text}`

    test(`is stored${network.names_texts ? ', once though it comes twice' : ''}`, async () => {
      const text = 'Is anyone there?'
      expect(await stage.peer.sendText?.(text, 'text-1')).toBe(true)
      const again = network.names_texts ? await stage.peer.sendText?.(text, 'text-1') : true
      expect(again).toBe(true)
      expect(await kept(text)).toEqual([{ from: expect.stringMatching(/^234\d{10}$/), channel: network.channel }])
    })

    test('keeps every character', async () => {
      const text = 'Ẹ káàbọ̀, ó ti dé 👋😀 ₦5'
      expect(await stage.peer.sendText?.(text, 'text-3')).toBe(true)
      await until('the text', async () => (await kept(text)).length === 1)
    })

    test('is not acknowledged while it cannot be stored', async () => {
      const { db } = stage.service
      await db`alter table inbound_messages rename to hidden`
      const acknowledged = await stage.peer.sendText?.('Once more', 'text-2')
      await db`alter table hidden rename to inbound_messages`
      expect(acknowledged).toBe(false)
      expect(await stage.peer.sendText?.('Once more', 'text-2')).toBe(true)
      await until('the text', async () => (await kept('Once more')).length === 1)
    })
  })

  test(`the books are right after all that ${name} has done`, async () => {
    expect(await auditMoney(stage.service.db)).toEqual([])
  })
}
