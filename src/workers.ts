import { watchBalances } from './airtime/balances.ts'
import type { Vendors } from './airtime/vendors.ts'
import type { PurchaseHands } from './airtime/accept.ts'
import { startAirtime } from './airtime/worker.ts'
import type { ChargeSale } from './billing/charge.ts'
import { startCampaignCounts, startCampaigns } from './campaigns/run/worker.ts'
import { startCallbacks } from './callbacks/deliver/deliver.ts'
import { makeTraceCallback } from './callbacks/deliver/trace.ts'
import type { CallbackSender } from './callbacks/deliver/reserved.ts'
import { makePoster } from './callbacks/post/post.ts'
import type { MessageCarrier, TakeOptouts, TakeReports, TakeTexts } from './carriers/message-carrier.ts'
import { phoneMessage } from './carriers/simulator/read.ts'
import { startSimulator } from './carriers/simulator/simulator.ts'
import type { ShownMessage } from './carriers/simulator/store.ts'
import { carriersOfKind, startCarrier } from './carriers/kinds.ts'
import type { Config } from './config/config.ts'
import { startChanges } from './contacts/changes/worker.ts'
import { startForgetColumns } from './contacts/forget-column.ts'
import { startImports } from './contacts/import/worker.ts'
import { startBackups } from './db/backup/schedule.ts'
import type { Db } from './db/connect.ts'
import { startHousekeeping } from './housekeeping.ts'
import { SESSIONS_ENDED } from './http/console/visitor.ts'
import type { HttpDeps } from './http/deps.ts'
import type { Submitter } from './messaging/dispatch/submitter.ts'
import { makeTakeSegments } from './messaging/dispatch/record.ts'
import { makeRefusingCarrier, REFUSING_ROUTES } from './messaging/dispatch/refusing-carrier.ts'
import { startRoute } from './messaging/dispatch/route.ts'
import { makeTakeAnswer } from './messaging/conversations/reply-to-callback.ts'
import { startRedactions } from './messaging/redact/clean-log.ts'
import type { MatchDeps } from './messaging/reports/settle-on-arrival.ts'
import { startReportMatcher } from './messaging/reports/match-worker.ts'
import { startLowBalances } from './billing/low-balance.ts'
import { CALLBACK_QUEUE, enqueueCallbacks } from './callbacks/enqueue.ts'
import { startDue } from './messaging/schedule/due.ts'
import { carriersOf } from './messaging/settings.ts'
import { traceCarrier } from './messaging/trace.ts'
import { LONG_TEXT_WAIT_S, startLongTexts } from './messaging/long-texts/long-texts.ts'
import { startOverdue } from './messaging/settle/overdue.ts'
import { openCallbackSecrets } from './organisations/callback-secrets.ts'
import { findCallerOf, findOrganisation } from './organisations/store.ts'
import type { FallbackItem } from './otp/accept.ts'
import { startFallback } from './otp/fallback/fallback.ts'
import { startChecks } from './sign-in/check.ts'
import { startErasures } from './people/walk.ts'
import { cached } from './values/concurrency/cached.ts'

export type Stoppable = { stop(): Promise<void> }

type Deps = {
  config: Config
  http: HttpDeps
  chargeFallback: ChargeSale<FallbackItem>
  /** For what every message costs. */
  work_db: Db
  settling: MatchDeps
  takeReports: TakeReports
  takeTexts: TakeTexts
  takeOptouts: TakeOptouts
  vendors: Vendors
}

/** The route of test organisations, and its carrier where no simulator is configured. No configured name has a colon. */
export const TEST_ROUTE = 'test:simulator'
const TEST_SIMULATOR = { kind: 'simulator' as const, name: TEST_ROUTE, report_delay_ms: 300 }
const SECRETS_REMEMBERED_MS = 5_000

/** Everything that works without being asked: carriers, the workers of every queue, and housekeeping. */
export function startAllWorkers(given: Deps): {
  workers: Stoppable[]
  callbacks: CallbackSender
  purchases: PurchaseHands
  routes: readonly { name: string; submitters: readonly Submitter[] }[]
} {
  const { http, settling, work_db, vendors, takeReports, takeTexts, takeOptouts } = given
  const { settings } = given.config
  const { db, log, live, seal, secret_seal, otp_settings } = http
  const isWatched = ({ organisation_id }: { organisation_id: string }) => live.isWatched(organisation_id)
  const deps = {
    ...settling,
    db,
    log,
    seal,
    secret_seal,
    onShown: (messages: readonly ShownMessage[]) => live.tellPhones(messages.filter(isWatched).map(phoneMessage)),
    takeReports,
    takeTexts,
    takeOptouts,
    takeSegments: makeTakeSegments({ db: work_db }),
    default_country: settings.organisation.default_country,
    public_url: http.public_url,
  }
  const every_message = { ...deps, db: work_db }
  const carriers = new Map<string, MessageCarrier>()
  const simulator = startSimulator(every_message, carriersOfKind(settings.carriers, 'simulator')[0] ?? TEST_SIMULATOR)
  carriers.set(simulator.name, simulator)
  for (const carrier of settings.carriers.filter(({ name }) => !carriers.has(name))) {
    carriers.set(carrier.name, startCarrier(every_message, carrier))
  }
  const poster = makePoster(http.address_mode)
  const secretsOf = cached(SECRETS_REMEMBERED_MS, (id: string) => openCallbackSecrets({ db, secret_seal }, id))
  const balances = watchBalances({ ...deps, vendors: vendors.by_name }, settings.airtime.vendors)
  const { requery_delays_s, review_after_h, duplicate_minutes } = settings.airtime
  const senderOf = (id: string) => findCallerOf(db, id)
  const answererOf = async (id: string) => {
    const sender = await senderOf(id)
    return sender?.suspended ? undefined : sender
  }
  const answering = { authTokenOf: http.authTokenOf, takeAnswer: makeTakeAnswer({ ...http, senderOf: answererOf }) }
  const { tracer } = http
  const traceCallback = tracer && makeTraceCallback(tracer)
  const callbacks = startCallbacks({
    ...every_message,
    poster,
    secretsOf,
    ...answering,
    ...settings.webhooks,
    traceCallback,
  })
  const routes = [
    ...settings.routes.map((route) => {
      return { ...route, carriers: carriersOf(route).flatMap((name) => carriers.get(name) ?? []) }
    }),
    { name: TEST_ROUTE, carriers: [simulator] },
    ...REFUSING_ROUTES.map((name) => ({ name, carriers: [makeRefusingCarrier(name)] })),
  ].map((route) =>
    startRoute(every_message, {
      ...route,
      carriers: tracer ? route.carriers.map((carrier) => traceCarrier(tracer, carrier)) : route.carriers,
    }),
  )
  const purchases = startAirtime({
    ...every_message,
    vendors: vendors.by_name,
    stopVendors: () => vendors.stop(),
    schedule: { delays_s: requery_delays_s, review_after_s: review_after_h * 3_600 },
    duplicate_minutes,
    noteBalance: balances.note,
  })
  const workers = [
    ...routes,
    startDue(deps),
    ...carriers.values(),
    startReportMatcher(every_message),
    purchases,
    balances,
    startOverdue(deps),
    startLongTexts({
      ...http,
      db: http.quick_db,
      long_text_wait_s: settings.smpp_server?.long_text_wait_s ?? LONG_TEXT_WAIT_S,
    }),
    startLowBalances({ db, log, enqueue: enqueueCallbacks, wake: () => deps.wakeups.wake(CALLBACK_QUEUE) }),
    startChanges({ ...deps, organisationOf: (id) => findOrganisation(db, id) }),
    startForgetColumns(deps),
    startCampaigns({ ...http, senderOf }),
    startCampaignCounts({ ...http, senderOf }),
    startImports({ ...deps, organisationOf: (id) => findOrganisation(db, id) }),
    startErasures(http),
    startRedactions(http),
    startFallback({ ...http, chargeFallback: given.chargeFallback }),
    callbacks,
    startChecks({ db, seal, log, onEnded: () => http.wakeups.wake(SESSIONS_ENDED) }, [
      ...http.sign_in.providers.values(),
    ]),
    { stop: () => poster.close() },
    ...(settings.backups ? [startBackups({ db, log, ...http.pepper_keys }, settings.backups)] : []),
    startHousekeeping({
      db,
      log,
      retention: {
        ...settings.retention,
        window_minutes: otp_settings.guard.window_minutes,
        smpp_hours: settings.smpp_server?.keep_hours,
        smpp_waiting: settings.smpp_server?.limits.waiting,
      },
      fresh: settings.lookup,
    }),
  ]
  return { workers, callbacks, purchases, routes }
}
