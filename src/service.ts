import { makeVendors } from './airtime/vendors.ts'
import { startBlocklist } from './blocklist/blocklist.ts'
import { countUnreadableSecrets } from './callbacks/signing/secrets.ts'
import { readNetworks } from './callbacks/post/networks.ts'
import { startHlr } from './carriers/hlr/hlr.ts'
import { findLiveOrganisations } from './organisations/store.ts'
import { makeTemplateManager } from './carriers/whatsapp/manage-templates.ts'
import type { Config } from './config/config.ts'
import { makeConfiguration } from './config/entries.ts'
import { makeCountRows } from './contacts/query/count.ts'
import { makeFindStart } from './contacts/query/marks.ts'
import { detectLayout } from './db/layout.ts'
import type { Db } from './db/connect.ts'
import { watchLiveVersions } from './db/live-versions.ts'
import { isMigrated } from './db/migrate.ts'
import { watchSchema } from './db/schema/schema-watch.ts'
import { openPools } from './db/pools.ts'
import type { HttpDeps } from './http/deps.ts'
import { openGate } from './http/gate.ts'
import type { SendDeps } from './messaging/accept/send.ts'
import { watchDepth } from './messaging/intake/depth.ts'
import { makeLinks } from './messaging/links/links.ts'
import { makeReadTraces } from './messaging/read/trace-store.ts'
import { makeKnowledge } from './numbers/knowledge.ts'
import { makeLive } from './observe/live.ts'
import { makeMeters } from './observe/meters.ts'
import { makeTracer } from './observe/trace/tracer.ts'
import { makeFindOptedOut } from './optouts/find.ts'
import { makeAuthTokenOf } from './organisations/auth-token.ts'
import { makeAuthenticate } from './organisations/authenticate.ts'
import { limitRequests, makeLimits } from './organisations/limits.ts'
import { countUnreadableCallbackSecrets } from './organisations/callback-secrets.ts'
import { makeNotifyChange } from './organisations/changes.ts'
import { makeAdmission } from './otp/admission/admit.ts'
import { readKeys } from './otp/pepper.ts'
import { startReportTimes } from './otp/report-times.ts'
import type { RequestDeps } from './otp/request.ts'
import { makeTryOtp, makeTryVerification } from './otp/verification/try.ts'
import { makeWakeups } from './queue/wakeups.ts'
import { startRequestLog } from './requests/log.ts'
import { settlePepper } from './sealing/reseal.ts'
import { makeSignIn } from './sign-in/sign-in.ts'
import { startSmppServer, type SmppServer } from './smpp-server/server.ts'
import { readStatus } from './status/read-status.ts'
import { makePasswords } from './users/login/password.ts'
import type { Log } from './values/log.ts'
import { Refusal } from './values/refusal.ts'
import { moneyFromNumber } from './values/money.ts'
import { makePseudonym } from './values/secrets/pseudonym.ts'
import { logUnreadableSecrets } from './values/secrets/secret-seal.ts'
import { makeCharging, type LocalWorkers } from './wiring/charging.ts'
import { makeReceiving } from './wiring/receiving.ts'
import type { Carrying } from './wiring/carrying.ts'
import type { IdRange } from './wiring/refuse-tried.ts'
import { followEntries } from './wiring/follow-entries.ts'
import { makeReload, type Reload } from './wiring/reload.ts'
import { startCounting } from './wiring/counting.ts'
import { startPricing } from './wiring/pricing.ts'
import { makeRouting, whatsappAccounts } from './wiring/routing.ts'
import { startAllWorkers, type Stoppable } from './workers.ts'

export type Service = {
  http: HttpDeps
  /** Starts carriers and workers; not called in a process that only serves HTTP. See `refuseTried` for the ids. */
  startWorkers(sandbox_ids?: IdRange): void
  /** Opens the SMPP port, if one is configured, and returns it. */
  listenSmpp(): Promise<number | undefined>
  /** Applies what can change while it runs. */
  reload: Reload
  /** Waits for work in flight to end. The caller closes the database. */
  stop(): Promise<void>
}

const ANOTHER_PEPPER =
  'the database was sealed under another pepper: give that back, or as GANGAN_PEPPER_PREVIOUS to replace it'

/** Constructs every service once and passes each module the dependencies it declares. */
export async function makeService({
  config,
  db,
  log,
  gatherMetrics,
  application_name,
  onSandboxEnd = () => {},
}: {
  config: Config
  db: Db
  log: Log
  /** With several processes on one port: the metrics of all of them. */
  gatherMetrics?: () => Promise<string>
  /** Names the connections of this service, except those of `db`. */
  application_name?: string
  /** In the sandbox, when operators have created a real carrier. */
  onSandboxEnd?: (next: Config) => void
}): Promise<Service> {
  const { settings, sandbox, public_url } = config

  // Infrastructure
  await detectLayout(db)
  db.nodes.direct = settings.cluster.ask_nodes_directly
  const meters = makeMeters()
  const tracer = config.traces && makeTracer({ log, meters, readTraces: makeReadTraces(db) }, config.traces)
  const { charge_db, shared_db, work_db, quick_db, smpp_db, bind_db, endPools } = openPools(db, application_name)
  const wakeups = await makeWakeups(work_db)
  const live = makeLive({ db, log, bus: wakeups })
  const notifyChange = makeNotifyChange({ wakeups })
  const live_versions = watchLiveVersions({ db, log })
  const blocklist = startBlocklist({ db, log, meters, live_versions })
  const { requests_days } = settings.retention
  const requests = requests_days > 0 ? startRequestLog({ db, log }) : undefined
  const infrastructure = { config, db, work_db, log, wakeups, meters, tracer, live, live_versions }

  // Keys and secrets
  const pepper_keys = await readKeys({ db }, config)
  if (!(await settlePepper({ db, keys: pepper_keys }))) log.error({}, ANOTHER_PEPPER)
  const { seal, secret_seal } = pepper_keys
  const pseudonymOf = makePseudonym(pepper_keys.person_key)
  const authTokenOf = makeAuthTokenOf(pepper_keys.auth_token_key)
  const unreadable = [countUnreadableCallbackSecrets, countUnreadableSecrets].map((count) => count({ db, secret_seal }))
  logUnreadableSecrets(log, await Promise.all(unreadable))

  // Charging
  const local: LocalWorkers = { submitters: new Map() }
  const depth = watchDepth({ db, log }, settings.intake)
  const vendors = makeVendors({ db }, settings.airtime)
  const { chargeMessage, chargeSlice, chargeOtp, chargeFallback, chargePurchase, chargeLookup } = makeCharging({
    ...infrastructure,
    charge_db,
    shared_db,
    depth,
    vendors,
    local,
  })

  // Numbers and prices
  const numbers = makeKnowledge({ db }, settings.lookup)
  const findOptedOut = makeFindOptedOut({ db, pseudonymOf })
  const routing = makeRouting({ db, numbers, config }, settings)
  const counting = startCounting({ ...infrastructure, routing })
  const { tariffOf, feesOf, costs, costAt } = await startPricing({ db, live_versions, meters, numbers }, routing)
  const price = moneyFromNumber(settings.lookup.price) ?? 0n
  const lookup = { db, log, meters, chargeLookup, numbers, findOptedOut, price }
  const directory = settings.lookup.provider && startHlr({ log }, settings.lookup.provider)

  // Carriers' reports, texts and opt-outs
  const { settling, receivers, webhooks, ...receiving } = makeReceiving({
    ...infrastructure,
    numbers,
    costs,
    pseudonymOf,
    notifyChange,
    seal,
    phone_key: pepper_keys.phone_key,
    channelOf: (route) => routing.channelOf(route),
    local,
  })
  const limits = makeLimits({ db: quick_db })
  const links = makeLinks({ db, log, meters, wakeups })

  /** What composing, charging and storing a message needs, over whichever protocol it arrives. */
  const sending: SendDeps = {
    db,
    meters,
    depth,
    chargeMessage,
    numbers,
    findOptedOut,
    tariffOf,
    whatsapp: routing.whatsapp,
    address_mode: { private_allowed: sandbox, networks: readNetworks(settings.callbacks.allow_networks) },
    dnd: settings.dnd,
    isBlocked: blocklist.isBlocked,
    limits,
    sandbox,
    public_url,
  }
  const whatsapp_templates = makeTemplateManager(
    { db, isOnly: async (id) => (await findLiveOrganisations(db, 2)).every((one) => one.id === id) },
    whatsappAccounts(settings),
  )
  const otp_settings = settings.otp
  const otp: RequestDeps = {
    ...sending,
    chargeOtp,
    feesOf,
    wakeups,
    seal,
    pepper_keys,
    otp_settings,
    admission: makeAdmission({ db: quick_db, log, meters, sandbox, otp_settings }),
    report_times: startReportTimes({ db, log, carriersOf: (route) => routing.carriersOf(route) }),
  }
  const sign_in = makeSignIn(settings.sign_in)
  let carrying: Carrying | undefined
  const applying = { ...infrastructure, numbers, routing, receiving, whatsapp_templates, carrying: () => carrying }
  const reloading = makeReload(applying)
  const gate = openGate()
  const schema_watch = watchSchema(db, ({ message }) => {
    gate.closed = new Refusal('unavailable', 'This process is too old for the database; another one has to be asked.')
    log.error({ reason: message }, 'this process takes no more requests: replace it with the new version')
  })

  const http: HttpDeps = {
    ...otp,
    ...sending,
    quick_db,
    log,
    tracer,
    live,
    requests,
    requests_days,
    chargePurchase,
    links,
    limits,
    media: { ...settings.media, days: settings.retention.media_days },
    lookupOf: ({ mode }) => (mode === 'test' ? lookup : { ...lookup, directory }),
    airtime: settings.airtime,
    vendors: vendors.by_name,
    vendorsOf: vendors.vendorsOf,
    operatorOf: (msisdn) => numbers.table.originOf(msisdn).operator,
    authenticate: limitRequests(makeAuthenticate({ db: quick_db, wakeups, authTokenOf }), limits),
    authTokenOf,
    notifyChange,
    countContactRows: makeCountRows({ db }),
    findContactStart: makeFindStart({ db }),
    ...webhooks,
    whatsapp_templates,
    passwords: makePasswords(),
    session_settings: settings.console,
    sign_in,
    route_queues: routing.route_queues,
    carrierStates: () => routing.status.carrierStates(),
    readHolds: () => routing.status.readHolds(),
    readStatus: () => readStatus(routing.status),
    installation: routing.installation,
    configuration: makeConfiguration(reloading.current),
    currency: settings.currency,
    costs,
    readNetwork: () => routing.probe_network,
    costAt,
    country: settings.organisation.default_country,
    console_url: settings.public_url ? public_url : undefined,
    express: settings.http.express,
    secret_seal,
    pseudonymOf,
    tryOtp: makeTryOtp({ db: quick_db, sandbox, otp_settings }),
    tryVerification: makeTryVerification({ db: quick_db, sandbox, otp_settings }),
    isReady: () => isMigrated(db),
    gate,
    machine: routing.status.machine,
    metrics: config.metrics,
    gatherMetrics: gatherMetrics ?? (() => meters.registry.metrics()),
  }
  let smpp_server: SmppServer | undefined
  followEntries({ db, log, live_versions, secret_seal, onSandboxEnd, ...reloading })
  const running: Stoppable[] = [schema_watch, live_versions, blocklist, live, depth, links, whatsapp_templates]
  running.push(otp.report_times, ...[directory, requests].filter((one) => one !== undefined))
  return {
    http,
    startWorkers(sandbox_ids) {
      const started = startAllWorkers({
        ...infrastructure,
        sandbox_ids,
        quick_db,
        sending,
        chargeSlice,
        fallback: { ...otp, log, chargeFallback },
        settling,
        receivers,
        vendors,
        sign_in,
        readNetwork: http.readNetwork,
        carriersOf: (route: string) => routing.carriersOf(route),
        route_queues: routing.route_queues,
        submitters: local.submitters,
        keys: { pepper_keys, authTokenOf, pseudonymOf },
      })
      local.callbacks = started.callbacks
      local.purchases = started.purchases
      ;({ carrying } = started)
      running.push(...started.workers)
    },
    async listenSmpp() {
      if (!settings.smpp_server) return undefined
      const smpp_deps = { ...sending, db: smpp_db, bind_db, log, wakeups, smpp_key: pepper_keys.smpp_key }
      smpp_server = await startSmppServer(smpp_deps, settings.smpp_server)
      return smpp_server.port
    },
    reload: reloading.reload,
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
