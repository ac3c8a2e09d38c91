import type { PurchaseWorker } from './airtime/accept.ts'
import { watchBalances, type Vendors } from './airtime/vendors.ts'
import { startAirtime } from './airtime/worker.ts'
import { startBalanceEvents } from './billing/balance-events.ts'
import { startCallbacks } from './callbacks/deliver/deliver.ts'
import type { CallbackSender } from './callbacks/deliver/reserved.ts'
import { makeTraceCallback } from './callbacks/deliver/trace.ts'
import { CALLBACK_QUEUE, enqueueCallbacks } from './callbacks/enqueue.ts'
import { makePoster } from './callbacks/post/post.ts'
import { startCampaignCounts, startCampaigns } from './campaigns/run/worker.ts'
import { campaignsUsing } from './campaigns/using-store.ts'
import type { TakeOptouts, TakeReport, TakeReports, TakeTexts } from './carriers/message-carrier.ts'
import { phoneMessage } from './carriers/simulator/read.ts'
import type { ShownMessage } from './carriers/simulator/store.ts'
import { makeChooser } from './choice/chooser.ts'
import { makeKnowledge } from './choice/knowledge.ts'
import type { Config } from './config/config.ts'
import { startChanges } from './contacts/changes/worker.ts'
import { startConversions } from './contacts/conversions/worker.ts'
import { startForgetColumns } from './contacts/forget-column.ts'
import { startImports } from './contacts/import/worker.ts'
import { startBackups } from './db/backup/schedule.ts'
import type { Db } from './db/connect.ts'
import type { LiveVersions } from './db/live-versions.ts'
import { startFollowing } from './evidence/follow.ts'
import { startHousekeeping } from './housekeeping.ts'
import { startMargins } from './margins/recompute.ts'
import type { SendDeps } from './messaging/accept/send.ts'
import { makeTakeSegments } from './messaging/dispatch/recorder.ts'
import { startTestSends } from './messaging/dispatch/test-send.ts'
import type { Submitter } from './messaging/dispatch/submitter.ts'
import { startFeedback } from './messaging/feedback/feedback.ts'
import { makeTakeAnswer } from './messaging/conversations/reply-to-callback.ts'
import { startDownloads } from './messaging/inbound/download.ts'
import { HANDSETS, makeHandsetDownload } from './messaging/inbound/handset-files.ts'
import { LONG_TEXT_WAIT_S, startLongTexts } from './messaging/long-texts/long-texts.ts'
import { startRedactions } from './messaging/redact/clean-log.ts'
import type { MatchDeps } from './messaging/reports/settle-on-arrival.ts'
import { watchPauses } from './messaging/pauses/watch.ts'
import { startReportMatcher } from './messaging/reports/match-worker.ts'
import type { RouteSettings } from './messaging/settings.ts'
import { startScheduleWorker } from './messaging/schedule/due.ts'
import { startOverdue } from './messaging/settle/overdue.ts'
import type { Live } from './observe/live.ts'
import type { Tracer } from './observe/trace/tracer.ts'
import type { AuthTokenOf } from './organisations/auth-token.ts'
import { openCallbackSecrets } from './organisations/callback-secrets.ts'
import { findCallerOf, findOrganisation } from './organisations/store.ts'
import { type FallbackDeps, startFallback } from './otp/fallback/fallback.ts'
import { endedUnverified } from './otp/verification/store.ts'
import { startFeeRefunds } from './otp/fees/refund.ts'
import type { InstallationKeys } from './otp/pepper.ts'
import { startErasures } from './people/erase-worker.ts'
import type { ReadNetwork } from './probes/network.ts'
import { makeSeeds, type SentSlice } from './probes/seeds.ts'
import { startProbes } from './probes/worker.ts'
import type { Wakeups } from './queue/wakeups.ts'
import { startResealing } from './sealing/worker.ts'
import { startChecks } from './sign-in/check.ts'
import { findOwners } from './senders/store.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import { SESSIONS_ENDED } from './users/login/session.ts'
import { cached } from './values/concurrency/cached.ts'
import type { Log } from './values/log.ts'
import type { PseudonymOf } from './values/secrets/pseudonym.ts'
import { startCarrying, type Carrying } from './wiring/carrying.ts'
import type { IdRange } from './wiring/refuse-tried.ts'

export type Stoppable = { stop(): Promise<void> }

type WorkerDeps = {
  config: Config
  log: Log
  db: Db
  /** Pool of short statements that only read by key. */
  quick_db: Db
  /** Pool of the statements that run for every message. */
  work_db: Db
  wakeups: Wakeups
  tracer: Tracer | undefined
  live: Live
  live_versions: LiveVersions
  sending: SendDeps
  /** Charges a slice of a campaign. */
  chargeSlice: SendDeps['chargeMessage']
  fallback: Omit<FallbackDeps, 'queueAfter'>
  settling: MatchDeps
  receivers: { takeReport: TakeReport; takeReports: TakeReports; takeTexts: TakeTexts; takeOptouts: TakeOptouts }
  vendors: Vendors
  sign_in: SignIn
  /** What probes are sent through, and to. */
  readNetwork: ReadNetwork
  /** The carriers of a route, as configured now. */
  carriersOf: (route: string) => readonly string[]
  route_queues: readonly string[]
  sandbox_ids: IdRange | undefined
  /** Filled with the submitters of each route. */
  submitters: Map<string, readonly Submitter[]>
  keys: {
    pepper_keys: InstallationKeys
    authTokenOf: AuthTokenOf
    pseudonymOf: PseudonymOf
  }
}

const SECRETS_REMEMBERED_MS = 5_000

/** Starts what runs without a request: carriers, the workers of every queue, and housekeeping. */
export function startAllWorkers(given: WorkerDeps): {
  workers: Stoppable[]
  callbacks: CallbackSender
  purchases: PurchaseWorker
  carrying: Carrying
} {
  const { db, quick_db, work_db, log, wakeups, tracer, live, sending, vendors, sign_in } = given
  const { settings, public_url } = given.config
  const { pepper_keys, authTokenOf, pseudonymOf } = given.keys
  const { seal, secret_seal } = pepper_keys
  const { requests_days } = settings.retention
  const isWatched = ({ organisation_id }: { organisation_id: string }) => live.isWatched(organisation_id)
  const deps = {
    ...given.settling,
    ...given.receivers,
    db,
    log,
    seal,
    secret_seal,
    onShown: (messages: readonly ShownMessage[]) => live.notifyPhones(messages.filter(isWatched).map(phoneMessage)),
    takeSegments: makeTakeSegments({ db: work_db }),
    ownerOf: async (digits: string) => (await findOwners(work_db, [digits]))[0]?.organisation_id,
    default_country: settings.organisation.default_country,
    public_url,
  }
  const every_message = { ...deps, db: work_db }
  const pauses = watchPauses(given)
  const downloadFromHandset = makeHandsetDownload(db)
  const knowledge = makeKnowledge(Date.now)
  const chooserOf = ({ choose, evidence, shares }: Partial<RouteSettings>, carriers: readonly string[]) =>
    choose === undefined || choose === 'order' || evidence === undefined
      ? undefined
      : makeChooser({ choose, shares, evidence, carriers }, knowledge, Date.now, Math.random)
  const carrying = startCarrying(
    { ...every_message, tracer, pauses, submitters: given.submitters, chooserOf, sandbox_ids: given.sandbox_ids },
    settings,
  )
  const poster = makePoster(sending.address_mode)
  const secretsOf = cached(SECRETS_REMEMBERED_MS, (id: string) => openCallbackSecrets({ db, secret_seal }, id))
  const balances = watchBalances({ ...deps, vendors: vendors.by_name }, settings.airtime.vendors)
  const { requery_delays_s, review_after_h, duplicate_minutes } = settings.airtime
  const senderOf = (id: string) => findCallerOf(db, id)
  const answererOf = async (id: string) => {
    const sender = await senderOf(id)
    return sender?.suspended ? undefined : sender
  }
  const traceCallback = tracer && makeTraceCallback(tracer)
  const callbacks = startCallbacks({
    ...every_message,
    poster,
    secretsOf,
    authTokenOf,
    takeAnswer: makeTakeAnswer({ ...sending, log, senderOf: answererOf }),
    ...settings.webhooks,
    traceCallback,
  })
  const purchases = startAirtime({
    ...every_message,
    vendors: vendors.by_name,
    stopVendors: () => vendors.stop(),
    schedule: { delays_s: requery_delays_s, review_after_s: review_after_h * 3_600 },
    duplicate_minutes,
    noteBalance: balances.note,
  })
  const seeds = makeSeeds(given.readNetwork, (route) => given.carriersOf(route))
  const campaigns = {
    ...sending,
    onSlice: (slice: SentSlice) => seeds.note(slice),
    chargeMessage: given.chargeSlice,
    log,
    wakeups,
    senderOf,
    route_queues: given.route_queues,
  }
  const workers = [
    carrying,
    startTestSends({ wakeups, find: (name) => carrying.find(name) }),
    startProbes({ db, log, wakeups, readNetwork: given.readNetwork, seeds }),
    startFeedback({
      db,
      log,
      wakeups,
      find: (name) => carrying.find(name),
      endedUnverified: (organisation_id, message_id) => endedUnverified(db, organisation_id, message_id),
    }),
    startScheduleWorker(deps),
    startReportMatcher(every_message),
    purchases,
    balances,
    startOverdue(every_message),
    startLongTexts({
      ...sending,
      db: quick_db,
      log,
      wakeups,
      long_text_wait_s: settings.smpp_server?.long_text_wait_s ?? LONG_TEXT_WAIT_S,
    }),
    startFollowing({ db, log, meters: deps.meters, knowledge, isWanted: () => knowledge.half_life_ms > 0 }),
    startBalanceEvents({ db, log, enqueue: enqueueCallbacks, wake: () => wakeups.wake(CALLBACK_QUEUE) }),
    startChanges({ ...deps, organisationOf: (id) => findOrganisation(db, id) }),
    startForgetColumns(deps),
    startConversions({ ...deps, campaignsUsing, organisationOf: (id) => findOrganisation(db, id) }),
    startCampaigns(campaigns),
    startCampaignCounts(campaigns),
    startImports({ ...deps, organisationOf: (id) => findOrganisation(db, id) }),
    startErasures({ db, log, wakeups, seal, pseudonymOf, requests_days }),
    startDownloads({
      ...deps,
      live,
      media: settings.media,
      downloadFrom: (name) => (name === HANDSETS ? downloadFromHandset : carrying.find(name)?.download),
    }),
    startMargins({ db, log, wakeups, messages_days: settings.retention.messages_days }),
    startRedactions({ db, log, wakeups, requests_days }),
    startFallback({ ...given.fallback, queueAfter: (route, second) => carrying.queueAfter(route, second) }),
    startFeeRefunds({ db, wakeups, log }),
    callbacks,
    startChecks({ db, seal, log, onEnded: () => wakeups.wake(SESSIONS_ENDED) }, [...sign_in.providers.values()]),
    { stop: () => poster.close() },
    ...(pepper_keys.former ? [startResealing({ db, log, keys: pepper_keys })] : []),
    ...(settings.backups ? [startBackups({ db, log, ...pepper_keys }, settings.backups)] : []),
    startHousekeeping({
      db,
      log,
      retention: {
        ...settings.retention,
        window_minutes: settings.otp.guard.window_minutes,
        smpp_hours: settings.smpp_server?.keep_hours,
        smpp_waiting: settings.smpp_server?.limits.waiting,
      },
      fresh: settings.lookup,
    }),
  ]
  return { workers, callbacks, purchases, carrying }
}
