import { makeVendors } from './airtime/vendors.ts'
import { makeAcceptPurchases, type PurchaseHands } from './airtime/accept.ts'
import { startCounting } from './analytics/start-counting.ts'
import { makeChargeSale, type Sale } from './billing/charge.ts'
import { chargeOnly } from './billing/store.ts'
import type { CallbackSender } from './callbacks/deliver/reserved.ts'
import { readNetworks } from './callbacks/post/networks.ts'
import { sealClearSecrets } from './callbacks/deliver/secrets.ts'
import { startHlr } from './carriers/hlr/hlr.ts'
import { makeVendorPosts } from './carriers/http/webhook.ts'
import { openPhones } from './carriers/phone/open.ts'
import { makeWhatsappRules } from './carriers/whatsapp/rules.ts'
import { makeWhatsappWebhook } from './carriers/whatsapp/webhook.ts'
import type { TakeOptouts, TakeTexts } from './carriers/message-carrier.ts'
import { carriersOfKind, makeCarrierStates } from './carriers/kinds.ts'
import type { Config } from './config/config.ts'
import { routesWithPages } from './config/page-forms.ts'
import { makeCountRows } from './contacts/query/count.ts'
import { noteLayout } from './db/cluster/layout.ts'
import type { Db } from './db/connect.ts'
import { isMigrated } from './db/migrate.ts'
import { openPools } from './db/pools.ts'
import type { HttpDeps } from './http/deps.ts'
import { makeAcceptMessages } from './messaging/accept/accept.ts'
import { makeChargeMessages } from './messaging/accept/charge-messages.ts'
import type { SendDeps } from './messaging/accept/send.ts'
import type { Submitter } from './messaging/dispatch/submitter.ts'
import { untilRecorded } from './messaging/dispatch/route.ts'
import { countSales, countSettled } from './messaging/counters.ts'
import { makeReadHolds } from './messaging/dispatch/holds.ts'
import { receiveOptouts } from './messaging/inbound/optouts.ts'
import { receiveTexts } from './messaging/inbound/receive.ts'
import { watchDepth } from './messaging/intake/depth.ts'
import { makeLinks } from './messaging/links/links.ts'
import { REFUSING_ROUTES } from './messaging/dispatch/refusing-carrier.ts'
import { makeLearnIds } from './messaging/reports/report-ids.ts'
import { makeRecentSubmissions } from './messaging/reports/recent-submissions.ts'
import { makeReceiveReports } from './messaging/reports/receive-reports.ts'
import { routeQueue, routeQueues } from './messaging/dispatch/queues.ts'
import { makeReadTraces } from './messaging/read/trace-store.ts'
import { carriersOf } from './messaging/settings.ts'
import { makeTraceReports } from './messaging/trace.ts'
import type { Changed } from './messaging/settle/store.ts'
import { makeTariff, onlyRoute } from './messaging/compose/tariff.ts'
import { makeKnowledge } from './numbers/knowledge.ts'
import { makeNoteFacts } from './numbers/note-facts.ts'
import { makeLive } from './observe/live.ts'
import { makeMeters } from './observe/meters.ts'
import { makeTracer } from './observe/trace/tracer.ts'
import { makeFindOptedOut } from './optouts/find.ts'
import { makeAuthTokenOf } from './organisations/auth-token.ts'
import { makeAuthenticate } from './organisations/authenticate.ts'
import { makeTellChange } from './organisations/changes.ts'
import { sealClearCallbackSecrets } from './organisations/callback-secrets.ts'
import { makeAcceptFallbacks, makeAcceptOtps } from './otp/accept.ts'
import { makeAdmission } from './otp/admission/admit.ts'
import { makeFailOtps } from './otp/fallback/fail.ts'
import { pepperKeys, readPepper } from './otp/pepper.ts'
import { makeTryOtp, makeTryVerification } from './otp/verification/try.ts'
import { makeWakeups } from './queue/wakeups.ts'
import { startRequestLog } from './requests/log.ts'
import { startSmppServer, type SmppServer } from './smpp-server/server.ts'
import { startAllWorkers, TEST_ROUTE, type Stoppable } from './workers.ts'
import { makeSignIn } from './sign-in/sign-in.ts'
import { makePasswords } from './users/login/password.ts'
import type { Log } from './values/log.ts'
import { moneyFromNumber } from './values/money.ts'
import { makePseudonym } from './values/secrets/pseudonym.ts'
import { makeSeal } from './values/secrets/seal.ts'
import { makeSecretSeal, tellUnreadable } from './values/secrets/secret-seal.ts'

export type Service = {
  /** What the front door needs. */
  http: HttpDeps
  /** Starts carriers and workers; a process that only serves HTTP leaves this out. */
  startWorkers(): void
  /** Lets customers bind, where that is configured; gives the port. */
  listenSmpp(): Promise<number | undefined>
  /** Finishes what is in hand. The database is the caller's to close. */
  stop(): Promise<void>
}

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
  await noteLayout(db)
  db.nodes.direct = settings.cluster.ask_nodes_directly
  const meters = makeMeters()
  const tracer = config.traces && makeTracer({ log, meters, readTraces: makeReadTraces(db) }, config.traces)
  const wakeups = await makeWakeups(db)
  const { charge_db, work_db, quick_db, smpp_db, bind_db, endPools } = openPools(db)
  const submitters = new Map<string, readonly Submitter[]>()
  const depth = watchDepth({ db, log }, settings.intake)
  const accept = {
    db: charge_db,
    wakeups,
    depth,
    submittersOf: (route: string) => submitters.get(route) ?? NO_SUBMITTERS,
  }
  const charging = { meters, tracer }
  const chargeMessage = makeChargeMessages(charging, makeAcceptMessages(accept), (draft) => draft)
  const chargeOtp = makeChargeMessages(charging, makeAcceptOtps(accept), ({ draft }) => draft)
  const chargeFallback = makeChargeMessages(charging, makeAcceptFallbacks(accept), ({ draft }) => draft)
  const vendors = makeVendors({ db }, settings.airtime)
  let purchase_hands: PurchaseHands | undefined
  const chargePurchase = countSales(
    makeChargeSale(
      makeAcceptPurchases({
        db: charge_db,
        wakeups,
        vendors: vendors.by_name,
        duplicate_minutes: settings.airtime.duplicate_minutes,
        hands: () => purchase_hands,
      }),
    ),
    meters,
  )
  const chargeLookup = countSales(
    makeChargeSale((id, sales: readonly Sale<undefined>[]) => chargeOnly(charge_db, 'lookup', id, sales)),
    meters,
  )
  const live = makeLive({ db, log, bus: wakeups })
  const notifyChange = makeTellChange({ wakeups })
  const numbers = makeKnowledge({ db }, settings.lookup)
  const tariff = makeTariff(settings.prices, routesWithPages(settings), numbers.table.originOf)
  const test_tariff = onlyRoute(tariff, TEST_ROUTE)
  const pepper_keys = pepperKeys(await readPepper({ db }, config))
  const pseudonymOf = makePseudonym(pepper_keys.person_key)
  const findOptedOut = makeFindOptedOut({ db, pseudonymOf })
  const authTokenOf = makeAuthTokenOf(pepper_keys.auth_token_key)
  const seal = makeSeal(pepper_keys.seal_key)
  const secret_seal = makeSecretSeal(pepper_keys.secret_key)
  const sealing = { db, secret_seal }
  tellUnreadable(log, await Promise.all([sealClearCallbackSecrets(sealing), sealClearSecrets(sealing)]))
  const otp_settings = settings.otp
  const counting = startCounting({ db, work_db, log, meters })
  const running: Stoppable[] = [live, depth]
  let callback_sender: CallbackSender | undefined
  const directory = settings.lookup.provider && startHlr({ log }, settings.lookup.provider)
  if (directory) running.push(directory)
  const price = moneyFromNumber(settings.lookup.price) ?? 0n
  const lookup = { db, log, meters, chargeLookup, numbers, findOptedOut, price }
  const settling = {
    db: work_db,
    wakeups,
    meters,
    onChanged: makeFailOtps(meters),
    onSettled: (organisation_id: string, changed: readonly Changed[]) => {
      countSettled(meters, organisation_id, changed)
      live.tellDeliveries(organisation_id, changed)
    },
    noteFacts: makeNoteFacts({ db, log, numbers }, settings.lookup.dnd_codes),
    callbackSender: () => callback_sender,
    channelOf: (route: string) => settings.routes.find(({ name }) => name === route)?.channel,
    learnIds: makeLearnIds({ db: work_db }),
    recent: db.distributed ? makeRecentSubmissions() : undefined,
    traceReports: tracer && makeTraceReports(tracer),
    untilRecorded: (carriers: ReadonlySet<string>) => untilRecorded(submitters, carriers),
  }
  const takeReports = makeReceiveReports(settling, settling)
  const takeTexts: TakeTexts = (texts) =>
    receiveTexts({ db, log, wakeups, meters, live, notifyChange, pseudonymOf }, texts)
  const takeOptouts: TakeOptouts = (optouts) => receiveOptouts({ db, log, notifyChange }, optouts)
  const taking = { db, log, takeReports, takeTexts, takeOptouts }
  const whatsapp_numbers = carriersOfKind(settings.carriers, 'whatsapp_cloud')
  const links = makeLinks({ db, log, meters, wakeups })
  const { requests_days } = settings.retention
  const requests = requests_days > 0 ? startRequestLog({ db, log }) : undefined
  running.push(links, ...(requests ? [requests] : []))

  /** What composing, charging and storing a message needs, over whichever protocol it arrives. */
  const sending: SendDeps = {
    db,
    meters,
    depth,
    chargeMessage,
    numbers,
    findOptedOut,
    tariffOf: ({ mode }) => (mode === 'test' ? test_tariff : tariff),
    whatsapp: makeWhatsappRules(
      { db },
      whatsapp_numbers,
      settings.routes.map((route) => ({ name: route.name, carriers: carriersOf(route) })),
    ),
    address_mode,
    dnd: settings.dnd,
    sandbox: config.sandbox,
    public_url: config.public_url,
  }

  const http: HttpDeps = {
    ...sending,
    quick_db,
    log,
    tracer,
    live,
    requests,
    requests_days,
    wakeups,
    chargeOtp,
    chargePurchase,
    links,
    lookupOf: ({ mode }) => (mode === 'test' ? lookup : { ...lookup, directory }),
    airtime: settings.airtime,
    vendors: vendors.by_name,
    vendorsOf: vendors.vendorsOf,
    operatorOf: (msisdn) => numbers.table.originOf(msisdn).operator,
    authenticate: makeAuthenticate({ db, wakeups, authTokenOf }),
    authTokenOf,
    notifyChange,
    countContactRows: makeCountRows({ db }),
    whatsapp_webhook: makeWhatsappWebhook(taking, whatsapp_numbers),
    vendor_posts: makeVendorPosts(
      { ...taking, ...settings.organisation, public_url: config.public_url },
      carriersOfKind(settings.carriers, 'http'),
    ),
    ...openPhones(
      { ...taking, wakeups, seal, phone_key: pepper_keys.phone_key, ...settings.organisation },
      carriersOfKind(settings.carriers, 'phone'),
    ),
    passwords: makePasswords(),
    session_settings: settings.console,
    sign_in: makeSignIn(settings.sign_in),
    route_queues: [
      ...settings.routes.flatMap((route) => routeQueues(route.name, carriersOf(route))),
      ...[TEST_ROUTE, ...REFUSING_ROUTES].map(routeQueue),
    ],
    carrierStates: makeCarrierStates({ db, public_url: config.public_url }, settings.carriers),
    readHolds: makeReadHolds({ db }, settings),
    installation: {
      routes: settings.routes,
      prices: settings.prices,
      vendors: settings.airtime.vendors.map(({ name, kind }) => ({ name, kind })),
    },
    currency: settings.currency,
    country: settings.organisation.default_country,
    console_url: settings.public_url ? config.public_url : undefined,
    express: settings.http.express,
    seal,
    secret_seal,
    pepper_keys,
    pseudonymOf,
    otp_settings,
    tryOtp: makeTryOtp({ db: quick_db, sandbox: config.sandbox, otp_settings }),
    tryVerification: makeTryVerification({ db: quick_db, sandbox: config.sandbox, otp_settings }),
    admission: makeAdmission({ db: quick_db, log, meters, sandbox: config.sandbox, otp_settings }),
    isReady: () => isMigrated(db),
    metrics: config.metrics,
    gatherMetrics: gatherMetrics ?? (() => meters.registry.metrics()),
  }

  function startWorkers(): void {
    const started = startAllWorkers({ ...taking, config, http, chargeFallback, work_db, settling, vendors })
    callback_sender = started.callbacks
    purchase_hands = started.purchases
    for (const { name, submitters: started_submitters } of started.routes) submitters.set(name, started_submitters)
    running.push(...started.workers)
  }

  let smpp_server: SmppServer | undefined
  async function listenSmpp(): Promise<number | undefined> {
    if (!settings.smpp_server) return undefined
    const smpp_deps = { ...sending, db: smpp_db, bind_db, log, wakeups, smpp_key: pepper_keys.smpp_key }
    smpp_server = await startSmppServer(smpp_deps, settings.smpp_server)
    return smpp_server.port
  }

  return {
    http,
    startWorkers,
    listenSmpp,
    async stop() {
      await smpp_server?.stop()
      await Promise.all(running.map((one) => one.stop()))
      await tracer?.stop()
      await counting.stop()
      await wakeups.close()
      await endPools()
    },
  }
}

const NO_SUBMITTERS: readonly Submitter[] = []
