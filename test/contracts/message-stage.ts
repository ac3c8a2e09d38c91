import { openService, type TestService, type TestServiceOptions, type Organisation } from '../support/service.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import type { Mood, Network, Peer, TakenText } from './message-network.ts'

export type Sent = { id: string; recipient: string }
export type Delivery = { status: string; code?: string; refunded: boolean }

/** The whole service with the carrier under test, its network, and a customer with callbacks. */
export type Stage = {
  service: TestService
  peer: Peer
  newCustomer(): Promise<void>
  /** A message to a number that is treated in this way. */
  send(mood: Mood, content?: string): Promise<Sent>
  deliveryOf(sent: Sent): Promise<Delivery | undefined>
  reaches(sent: Sent, status: string): Promise<void>
  /** All queues are empty. */
  settled(): Promise<void>
  /** The events the customer received about it. */
  eventsOf(sent: Sent): Promise<string[]>
  taken(sent: Sent): Promise<TakenText[]>
  /** The customer's balance. */
  spent(): Promise<number>
  /** Number of stored reports on unknown messages. */
  forgetStrays(count: number): Promise<void>
  close(): Promise<void>
}

const CREDIT = 1_000

/** Receivers on this machine may be called, as in a sandbox. */
export function houseOptions({ channel }: Network, peer: Peer): TestServiceOptions {
  const routes = [{ name: 'line', channel, carrier: peer.settings.name }]
  return { settings: { carriers: [peer.settings], routes }, config: { sandbox: true } }
}

export async function openStage(network: Network, more: TestServiceOptions = {}): Promise<Stage> {
  const peer = await network.start()
  const service = await openService({ ...houseOptions(network, peer), ...more })
  const receiver = await startReceiver()
  const { db } = service
  let customer: Organisation = service
  peer.reports_to = service

  async function deliveryOf({ id }: Sent): Promise<Delivery | undefined> {
    return (await customer.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)).body.deliveries[0]
  }

  return {
    service,
    peer,
    deliveryOf,
    async newCustomer() {
      customer = await service.organisation({ credit: CREDIT })
    },
    async send(mood, content = 'Hello') {
      const recipient = peer.number(mood)
      await network.invite?.(db, recipient)
      const body = { recipients: recipient, content, channel: network.channel, callback: receiver.url }
      const answer = await customer.call<{ id: string }>('POST', '/sms/send', body)
      if (answer.status !== 200) throw new Error(`it was not accepted: ${answer.text}`)
      return { id: answer.body.id, recipient }
    },
    async reaches(sent, status) {
      await until(`it to be ${status}`, async () => {
        await network.letTimePass?.(db)
        return (await deliveryOf(sent))?.status === status
      })
    },
    async settled() {
      await peer.quiet()
      await until('all queues to be empty', async () => {
        await network.letTimePass?.(db)
        const left = await db`select 1 from jobs union all select 1 from callbacks where status = 'pending' limit 1`
        return left.length === 0
      })
    },
    async eventsOf({ id }) {
      const rows = await db<{ type: string }[]>`select type from callbacks where subject_id = ${id}`
      const received = receiver.received.filter(({ json }) => json.data.id === id).map(({ json }) => json.type)
      if (rows.length !== received.length) throw new Error(`${rows.length} callbacks, ${received.length} received`)
      return received
    },
    taken: ({ recipient }) => peer.taken(db, recipient),
    async spent() {
      return CREDIT - (await customer.call<{ balance: number }>('GET', '/balance')).body.balance
    },
    async forgetStrays(count) {
      const gone = await db`delete from reports`
      if (gone.count !== count) throw new Error(`${gone.count} reports were kept instead of ${count}`)
      await db`delete from report_jobs`
    },
    async close() {
      await service.close()
      await receiver.close()
      await peer.close()
    },
  }
}
