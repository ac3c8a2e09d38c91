import { byLayout } from '../db/layout.ts'
import { makeVendorPosts } from '../carriers/http/webhook.ts'
import { makePhoneApi } from '../carriers/phone/api.ts'
import { listPhones } from '../carriers/phone/list.ts'
import { carriersOfKind } from '../carriers/kinds.ts'
import { makeWhatsappWebhook } from '../carriers/whatsapp/webhook.ts'
import type { Costs } from '../carriers/costs.ts'
import type { Channel, TakeOptouts, TakeTexts } from '../carriers/message-carrier.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { untilRecorded } from '../messaging/dispatch/route.ts'
import { receiveOptouts } from '../messaging/inbound/optouts.ts'
import { receiveTexts } from '../messaging/inbound/receive.ts'
import { makeRecentSubmissions } from '../messaging/reports/recent-submissions.ts'
import { makeReceiveReceipts } from '../messaging/reports/receive-receipts.ts'
import { makeLearnIds } from '../messaging/reports/report-ids.ts'
import { makeReceiveReport } from '../messaging/reports/receive-report.ts'
import { makeReceiveReports } from '../messaging/reports/receive-reports.ts'
import { noteReported } from '../messaging/count-evidence.ts'
import { noteMoved } from '../messaging/count-margins.ts'
import { countSettled, noteRead } from '../messaging/counters.ts'
import type { Read } from '../messaging/reports/receipt-store.ts'
import type { Changed } from '../messaging/settle/store.ts'
import { makeTraceReports } from '../messaging/trace.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'
import { makeNoteFacts } from '../numbers/note-facts.ts'
import type { Live } from '../observe/live.ts'
import type { Meters } from '../observe/meters.ts'
import type { Tracer } from '../observe/trace/tracer.ts'
import { makeFailOtps } from '../otp/fallback/fail.ts'
import { makeTakeProbes } from '../probes/receive.ts'
import { settleProbes } from '../probes/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import type { Log } from '../values/log.ts'
import type { PseudonymOf } from '../values/secrets/pseudonym.ts'
import type { Seal } from '../values/secrets/seal.ts'
import type { LocalWorkers } from './charging.ts'

type ReceivingDeps = {
  config: Config
  db: Db
  work_db: Db
  log: Log
  wakeups: Wakeups
  meters: Meters
  tracer: Tracer | undefined
  live: Live
  numbers: NumberKnowledge
  costs: Costs
  pseudonymOf: PseudonymOf
  notifyChange: (organisation_id: string) => void
  seal: Seal
  phone_key: Buffer
  channelOf: (route: string) => Channel | undefined
  local: LocalWorkers
}

/**
 * What arrives from carriers: the functions that take delivery reports, inbound texts and opt-outs, the webhooks that call
 * them, and what settling a delivery needs.
 */
export function makeReceiving(deps: ReceivingDeps) {
  const { db, work_db, log, wakeups, meters, tracer, live, local } = deps
  const { settings } = deps.config
  const settling = {
    db: work_db,
    wakeups,
    meters,
    onChanged: makeFailOtps(meters),
    onSettled: (organisation_id: string, changed: readonly Changed[]) => {
      countSettled(meters, organisation_id, changed)
      noteReported(meters, deps.channelOf, changed)
      if (deps.costs.in_use) noteMoved(meters, organisation_id, changed)
      live.notifyDeliveries(organisation_id, changed)
    },
    onRead: (organisation_id: string, read: readonly Read[]) => {
      for (const one of read) noteRead(meters.analytics, organisation_id, one)
      live.notifyDeliveries(organisation_id, read)
    },
    noteFacts: makeNoteFacts(deps, settings.lookup.dnd_codes),
    callbackSender: () => local.callbacks,
    channelOf: deps.channelOf,
    costs: deps.costs,
    learnIds: makeLearnIds({ db: work_db }),
    takeUnmatched: settleProbes,
    recent: byLayout(db, { single_server: () => undefined, cluster: makeRecentSubmissions })(),
    traceReports: tracer && makeTraceReports(tracer),
    untilRecorded: (carriers: ReadonlySet<string>) => untilRecorded(local.submitters, carriers),
  }
  const takeTexts: TakeTexts = (texts) => receiveTexts(deps, texts)
  const takeProbes = makeTakeProbes({ db })
  const takeOptouts: TakeOptouts = (optouts) => receiveOptouts(deps, optouts)
  const takeReceipts = makeReceiveReceipts(settling)
  const takeReports = makeReceiveReports(settling, settling)
  const takeReport = makeReceiveReport(takeReports)
  const receivers = { db, log, takeReport, takeReports, takeReceipts, takeTexts, takeOptouts }
  const webhooks = makeWebhooks(settings.carriers)

  function makeWebhooks(carriers: Config['settings']['carriers']) {
    const phone_carriers = carriersOfKind(carriers, 'phone')
    const probes = new Set(phone_carriers.filter(({ probe }) => probe).map(({ name }) => name))
    const takePhoneTexts: TakeTexts = async (texts) => {
      await takeProbes(texts.filter(({ carrier }) => probes.has(carrier)))
      await takeTexts(texts.filter(({ carrier }) => !probes.has(carrier)))
    }
    const of_phones = { takeTexts: takePhoneTexts, seal: deps.seal, phone_key: deps.phone_key }
    return {
      whatsapp_webhook: makeWhatsappWebhook(receivers, carriersOfKind(carriers, 'whatsapp_cloud')),
      vendor_posts: makeVendorPosts(
        { ...receivers, ...settings.organisation, public_url: deps.config.public_url },
        carriersOfKind(carriers, 'http'),
      ),
      phones: makePhoneApi({ ...receivers, wakeups, ...of_phones, ...settings.organisation }, phone_carriers),
      phone_list: { list: (public_url: string) => listPhones(deps, phone_carriers, public_url) },
    }
  }

  /** The routes of the API hold these objects, so they are replaced in place. */
  function reload(carriers: Config['settings']['carriers']): void {
    const next = makeWebhooks(carriers)
    Object.assign(webhooks.whatsapp_webhook, next.whatsapp_webhook)
    Object.assign(webhooks.vendor_posts, next.vendor_posts)
    Object.assign(webhooks.phones, next.phones)
    Object.assign(webhooks.phone_list, next.phone_list)
  }

  const { phone_list, ...others } = webhooks
  return { settling, receivers, webhooks: { ...others, listPhones: (url: string) => phone_list.list(url) }, reload }
}
