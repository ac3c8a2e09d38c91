import { watchBalances } from './airtime/balances.ts'
import { makeVendors } from './airtime/vendors.ts'
import { startAirtime } from './airtime/worker.ts'
import { makeChargeSale } from './billing/charge.ts'
import { startCallbacks } from './callbacks/deliver/deliver.ts'
import type { CallbackHands } from './callbacks/deliver/hand-over.ts'
import { readNetworks } from './callbacks/post/networks.ts'
import { makePoster } from './callbacks/post/post.ts'
import { sealClearSecrets } from './callbacks/deliver/secrets.ts'
import { startHlr } from './carriers/hlr/hlr.ts'
import { startSimulator } from './carriers/simulator/simulator.ts'
import { makeWhatsappRules } from './carriers/whatsapp/rules.ts'
import { makeWhatsappWebhook } from './carriers/whatsapp/webhook.ts'
import type { MessageCarrier, TakeTexts } from './carriers/message-carrier.ts'
import { phoneMessage } from './carriers/simulator/read.ts'
import type { ShownMessage } from './carriers/simulator/store.ts'
import { isSimulator, isWhatsapp, startCarrier } from './carriers/start.ts'
import { makeCarrierStates } from './carriers/states.ts'
import type { Config } from './config/config.ts'
import { routesWithPages } from './config/page-forms.ts'
import { startForgetColumns } from './contacts/forget-column.ts'
import { startImports } from './contacts/import/work.ts'
import { startListSends } from './contacts/send/work.ts'
import { makeCountRows } from './contacts/query/count.ts'
import { connectBeside, type Db } from './db/connect.ts'
import { isMigrated } from './db/migrate.ts'
import { startHousekeeping } from './housekeeping.ts'
import type { HttpDeps } from './http/deps.ts'
import { countSales, countSettled } from './messaging/settle/count.ts'
import { makeTakeSegments } from './messaging/dispatch/record.ts'
import { startDue } from './messaging/schedule/due.ts'
import { readHolds } from './messaging/dispatch/holds.ts'
import { receiveTexts } from './messaging/inbound/receive.ts'
import { makeLinks } from './messaging/links/links.ts'
import { startOverdue } from './messaging/settle/overdue.ts'
import { makeRefusingCarrier, REFUSING_ROUTES } from './messaging/dispatch/refusing-carrier.ts'
import { makeLearnIds } from './messaging/reports/report-ids.ts'
import { makeTakeReports, startReports } from './messaging/reports/reports.ts'
import { routeQueue, routeQueues, startRoute } from './messaging/dispatch/route.ts'
import { carriersOf } from './messaging/settings.ts'
import type { Changed } from './messaging/settle/store.ts'
import { makeTariff, onlyRoute } from './messaging/compose/tariff.ts'
import { startUnbundling, startUnpacking } from './messaging/accept/unpack.ts'
import { makeKnowledge } from './numbers/knowledge.ts'
import { makeNoteFacts } from './numbers/note-facts.ts'
import { startActivity } from './observe/activity.ts'
import { makeLive } from './observe/live.ts'
import { makeMeters } from './observe/meters.ts'
import { makeFindOptedOut } from './optouts/find.ts'
import { makeAuthenticate } from './organisations/authenticate.ts'
import { makeTellChange } from './organisations/changes.ts'
import { openCallbackSecrets, sealClearCallbackSecrets } from './organisations/callback-secrets.ts'
import { findCallerOf, findOrganisation } from './organisations/store.ts'
import { makeAdmission } from './otp/admit.ts'
import { failOtps } from './otp/fail.ts'
import { startFallback } from './otp/fallback.ts'
import { pepperKeys, readPepper } from './otp/pepper.ts'
import { makeWakeups } from './queue/wakeups.ts'
import { makePasswords } from './users/password.ts'
import type { Log } from './values/log.ts'
import { moneyFromNumber } from './values/money.ts'
import { cached } from './values/cache.ts'
import { makeSeal } from './values/seal.ts'
import { makeSecretSeal, tellUnreadable } from './values/secret-seal.ts'

export type Service = {
  /** What the front door needs. */
  http: HttpDeps
  /** Starts carriers and workers; a process that only serves HTTP leaves this out. */
  startWorkers(): void
  /** Finishes what is in hand. The database is the caller's to close. */
  stop(): Promise<void>
}

type Stoppable = { stop(): Promise<void> }

/** The route of test organisations, and its carrier where no simulator is configured. No configured name has a colon. */
const TEST_ROUTE = 'test:simulator'
const TEST_SIMULATOR = { kind: 'simulator' as const, name: TEST_ROUTE, report_delay_ms: 300 }
const SECRETS_REMEMBERED_MS = 5_000
/** Counting what waits takes longer the more does. */
const HOLDS_REMEMBERED_MS = 2_000
/** For the statements every message costs: an organisation's burst takes one, and has one at a time. */
const TILL_CONNECTIONS = 6
const WORK_CONNECTIONS = 8
/** For requests that are answered by a look at one row. Who holds them up on purpose holds up neither charging nor workers. */
const QUICK_CONNECTIONS = 4

/** The wiring: everything is made here, once, and handed down. */
export async function makeService({
  config,
  db,
  log,
  gatherMetrics,
}: {
  config: Config
  db: Db
  log: Log
  /** Where several processes serve together: the figures of all of them. */
  gatherMetrics?: () => Promise<string>
}): Promise<Service> {
  const { settings } = config
  const address_mode = {
    private_allowed: config.sandbox,
    networks: readNetworks(settings.callbacks.allow_networks),
  }
  const meters = makeMeters()
  const wakeups = await makeWakeups(db)
  const charge_db = connectBeside(db, { connections: TILL_CONNECTIONS, plans: 'kept' })
  const work_db = connectBeside(db, { connections: WORK_CONNECTIONS, plans: 'kept' })
  const quick_db = connectBeside(db, { connections: QUICK_CONNECTIONS, plans: 'kept' })
  const chargeSale = countSales(makeChargeSale({ db: charge_db }), meters.activity)
  const live = makeLive({ db, log, bus: wakeups })
  const tellChange = makeTellChange({ wakeups })
  const findOptedOut = makeFindOptedOut({ db })
  const numbers = makeKnowledge({ db }, settings.lookup)
  const tariff = makeTariff(settings.prices, routesWithPages(settings), numbers.table.originOf)
  const test_tariff = onlyRoute(tariff, TEST_ROUTE)
  const pepper_keys = pepperKeys(await readPepper({ db }, config))
  const seal = makeSeal(pepper_keys.seal_key)
  const secret_seal = makeSecretSeal(pepper_keys.secret_key)
  const sealing = await Promise.all([
    sealClearCallbackSecrets({ db, secret_seal }),
    sealClearSecrets({ db, secret_seal }),
  ])
  tellUnreadable(log, sealing)
  const otp_settings = settings.otp
  const vendors = makeVendors({ db }, settings.airtime)
  const isWatched = ({ organisation_id }: { organisation_id: string }) => live.isWatched(organisation_id)
  const counting = startActivity({ db, log, activity: meters.activity })
  const running: Stoppable[] = [live]
  let callback_hands: CallbackHands | undefined
  const directory = settings.lookup.provider && startHlr({ log }, settings.lookup.provider)
  if (directory) running.push(directory)
  const price = moneyFromNumber(settings.lookup.price) ?? 0n
  const lookup = { db, log, meters, chargeSale, numbers, findOptedOut, price }
  const settling = {
    db: work_db,
    wakeups,
    meters,
    onChanged: failOtps,
    onSettled: (organisation_id: string, changed: readonly Changed[]) => {
      countSettled(meters.activity, organisation_id, changed)
      live.tellDeliveries(organisation_id, changed)
    },
    noteFacts: makeNoteFacts({ db, log, numbers }, settings.lookup.dnd_codes),
    callbackHands: () => callback_hands,
    channelOf: (route: string) => settings.routes.find(({ name }) => name === route)?.channel,
    learnIds: makeLearnIds({ db: work_db }),
  }
  const takeReports = makeTakeReports(settling, settling)
  const takeTexts: TakeTexts = (texts) => receiveTexts({ db, log, wakeups, meters, tellChange }, texts)
  const whatsapp_numbers = settings.carriers.filter(isWhatsapp)
  const holds = cached(HOLDS_REMEMBERED_MS, () => readHolds({ db }, settings))
  const links = makeLinks({ db, log, meters, wakeups })
  running.push(links)

  const http: HttpDeps = {
    db,
    quick_db,
    log,
    meters,
    live,
    wakeups,
    chargeSale,
    address_mode,
    public_url: config.public_url,
    links,
    numbers,
    findOptedOut,
    dnd: settings.dnd,
    lookupOf: ({ mode }) => (mode === 'test' ? lookup : { ...lookup, directory }),
    tariffOf: ({ mode }) => (mode === 'test' ? test_tariff : tariff),
    airtime: settings.airtime,
    vendors: vendors.by_name,
    vendorsOf: vendors.vendorsOf,
    operatorOf: (msisdn) => numbers.table.originOf(msisdn).operator,
    authenticate: makeAuthenticate({ db, wakeups }),
    tellChange,
    countContactRows: makeCountRows({ db }),
    whatsapp: makeWhatsappRules(
      { db },
      whatsapp_numbers,
      settings.routes.map((route) => ({ name: route.name, carriers: carriersOf(route) })),
    ),
    whatsapp_webhook: makeWhatsappWebhook({ db, log, takeReports, takeTexts }, whatsapp_numbers),
    passwords: makePasswords(),
    session_settings: settings.console,
    route_queues: [
      ...settings.routes.flatMap((route) => routeQueues(route.name, carriersOf(route))),
      ...[TEST_ROUTE, ...REFUSING_ROUTES].map(routeQueue),
    ],
    carrierStates: makeCarrierStates({ db }, settings.carriers),
    readHolds: () => holds(''),
    installation: {
      routes: settings.routes,
      prices: settings.prices,
      vendors: settings.airtime.vendors.map(({ name, kind }) => ({ name, kind })),
    },
    currency: settings.currency,
    console_url: settings.public_url ? config.public_url : undefined,
    express: settings.http.express,
    sandbox: config.sandbox,
    seal,
    secret_seal,
    pepper_keys,
    otp_settings,
    admission: makeAdmission({ db, log, meters, sandbox: config.sandbox, otp_settings }),
    isReady: () => isMigrated(db),
    gatherMetrics: gatherMetrics ?? (() => meters.registry.metrics()),
  }

  function startWorkers(): void {
    const deps = {
      ...settling,
      db,
      log,
      seal,
      secret_seal,
      onShown: (messages: readonly ShownMessage[]) => live.tellPhones(messages.filter(isWatched).map(phoneMessage)),
      takeReports,
      takeTexts,
      takeSegments: makeTakeSegments({ db: work_db }),
      default_country: settings.organisation.default_country,
    }
    const every_message = { ...deps, db: work_db }
    const carriers = new Map<string, MessageCarrier>()
    const simulator = startSimulator(every_message, settings.carriers.find(isSimulator) ?? TEST_SIMULATOR)
    carriers.set(simulator.name, simulator)
    for (const carrier of settings.carriers.filter(({ name }) => !carriers.has(name))) {
      carriers.set(carrier.name, startCarrier(every_message, carrier))
    }
    const poster = makePoster(address_mode)
    const secretsOf = cached(SECRETS_REMEMBERED_MS, (id: string) => openCallbackSecrets({ db, secret_seal }, id))
    const balances = watchBalances({ ...deps, vendors: vendors.by_name }, settings.airtime.vendors)
    const { requery_delays_s, review_after_h, duplicate_minutes } = settings.airtime
    const callbacks = startCallbacks({ ...every_message, poster, secretsOf, ...settings.webhooks })
    callback_hands = callbacks
    running.push(
      ...settings.routes.map((route) =>
        startRoute(every_message, {
          ...route,
          carriers: carriersOf(route).flatMap((name) => carriers.get(name) ?? []),
        }),
      ),
      startRoute(every_message, { name: TEST_ROUTE, carriers: [simulator] }),
      ...REFUSING_ROUTES.map((name) => startRoute(every_message, { name, carriers: [makeRefusingCarrier(name)] })),
      startDue(deps),
      startUnpacking(every_message),
      startUnbundling(every_message),
      ...carriers.values(),
      startReports(every_message),
      startAirtime({
        ...deps,
        vendors: vendors.by_name,
        stopVendors: () => vendors.stop(),
        schedule: { delays_s: requery_delays_s, review_after_s: review_after_h * 3_600 },
        duplicate_minutes,
        noteBalance: balances.note,
      }),
      balances,
      startOverdue(deps),
      startForgetColumns(deps),
      startListSends({ ...http, senderOf: (id) => findCallerOf(db, id) }),
      startImports({ ...deps, organisationOf: (id) => findOrganisation(db, id) }),
      startFallback(http),
      callbacks,
      { stop: () => poster.close() },
      startHousekeeping({
        db,
        log,
        retention: { ...settings.retention, window_minutes: otp_settings.guard.window_minutes },
        fresh: settings.lookup,
      }),
    )
  }

  return {
    http,
    startWorkers,
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
      await counting.stop()
      await wakeups.close()
      await Promise.all([charge_db, work_db, quick_db].map((pool) => pool.end({ timeout: 1 })))
    },
  }
}
