import { inspect } from 'node:util'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { startCarrier } from '../../src/carriers/kinds.ts'
import { decideConfig } from '../../src/config/config.ts'
import type { Db } from '../../src/db/connect.ts'
import { makeTakeSegments } from '../../src/messaging/dispatch/recorder.ts'
import { makeReceiveReport } from '../../src/messaging/reports/receive-report.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { makeSettler } from '../support/settling.ts'
import { until } from '../support/until.ts'
import type { Network, Peer } from './message-network.ts'

export type Bench = {
  db: Db
  peer: Peer
  /** All log entries. */
  logged(): string
  /** A carrier for the peer, made from its configuration entry; its caller stops it. */
  start(more?: object): MessageCarrier
  close(): Promise<void>
}

/** The organisation of the messages, in the bench that was opened last. */
let organisation_id: string

/** A carrier alone, with its dependencies, its network, and a database. */
export async function openBench(network: Network): Promise<Bench> {
  const database = await freshDatabase()
  const peer = await network.start()
  const { db } = database
  const lines: string[] = []
  const note = (details: object, sentence: string) => void lines.push(`${inspect(details, { depth: 9 })} ${sentence}`)
  const wakeups = await makeWakeups(db)
  organisation_id = await foundOrganisation(db, 0n)
  const { deps: settling } = makeSettler(db, { wakeups })
  const takeReports = makeReceiveReports(settling, settling)
  const deps = {
    ...settling,
    log: { info: note, warn: note, error: note },
    takeReports,
    takeReport: makeReceiveReport(takeReports),
    takeTexts: async () => {},
    takeOptouts: async () => {},
    ownerOf: async () => undefined,
    takeSegments: makeTakeSegments({ db }),
    onShown: () => {},
    default_country: 'NG',
    public_url: 'http://gangan.example',
    seal: makeSeal(pepperKeys(PEPPER).seal_key),
  }
  const receiver = await network.open?.(deps)
  peer.reports_to = receiver
  return {
    db,
    peer,
    logged: () => lines.join('\n'),
    start: (more = {}) => startCarrier(deps, readSettings(network, { ...peer.settings, ...more })),
    async close() {
      await peer.close()
      await receiver?.close()
      await wakeups.close()
      await database.drop()
    },
  }
}

function readSettings({ channel }: Network, settings: Peer['settings']) {
  const routes = [{ name: 'line', channel, carrier: settings.name }]
  const config = decideConfig({ GANGAN_PEPPER: PEPPER }, { carriers: [settings], routes })
  const [carrier] = config.settings.carriers
  if (!carrier) throw new Error('the configuration has no carrier')
  return carrier
}

export function messageTo(network: Network, recipient: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    organisation_id,
    message_id: newId(),
    recipient,
    channel: network.channel,
    sender_id: 'Gangan',
    text: 'Hello',
    expires_in_s: null,
    attempt: 1,
    urgent: false,
    ...more,
  }
}

/** The outcomes, in whichever way the carrier returns them. */
export async function submit(carrier: MessageCarrier, messages: readonly OutgoingMessage[]): Promise<SubmitOutcome[]> {
  const answers = carrier.submit(messages)
  return Array.isArray(answers) ? Promise.all(answers) : answers
}

/** The carrier accepts messages now. */
export async function ready(carrier: MessageCarrier): Promise<void> {
  await until('free capacity', () => carrier.freeCapacity === undefined || carrier.freeCapacity() > 0, 30_000)
}

/** Outcomes after which the message is neither refunded nor submitted again. */
export function leftOpen({ knows_our_reference }: Network): SubmitOutcome['kind'][] {
  return knows_our_reference ? ['unknown', 'accepted'] : ['unknown']
}

/** The network has not received it, so it may be submitted again, or to another carrier. */
export function isNotHandedOver({ kind }: SubmitOutcome): boolean {
  return kind === 'held' || kind === 'temporary'
}
