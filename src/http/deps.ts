import type { BuyDeps } from '../airtime/buy.ts'
import type { VendorCallbackDeps } from '../airtime/vendor-callback.ts'
import type { Costs } from '../carriers/costs.ts'
import type { CarrierState } from '../carriers/schema.ts'
import type { Hold } from '../messaging/read/schema.ts'
import type { RouteSettings } from '../messaging/settings.ts'
import type { Db } from '../db/connect.ts'
import type { AuthTokenOf } from '../organisations/auth-token.ts'
import type { Limits } from '../organisations/limits.ts'
import type { Authenticate } from '../organisations/authenticate.ts'
import type { Machine } from '../observe/machine.ts'
import type { Live } from '../observe/live.ts'
import type { Meters } from '../observe/meters.ts'
import type { Tracer } from '../observe/trace/tracer.ts'
import type { Configuration } from '../live-config/entries.ts'
import type { LookupDeps } from '../lookup/lookup.ts'
import type { VendorPosts } from '../carriers/http/webhook.ts'
import type { PhoneApi } from '../carriers/phone/api.ts'
import type { ShownPhoneCarrier } from '../carriers/phone/schema.ts'
import type { TemplateManager } from '../carriers/whatsapp/manage-templates.ts'
import type { WhatsappWebhook } from '../carriers/whatsapp/webhook.ts'
import type { CountRows } from '../contacts/query/count.ts'
import type { FindStart } from '../contacts/query/marks.ts'
import type { Links } from '../messaging/links/links.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import type { UploadDeps } from '../media/upload.ts'
import type { RequestLog } from '../requests/log.ts'
import type { RequestDeps } from '../otp/request.ts'
import type { VerifyDeps } from '../otp/verification/verify.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Status } from '../status/schema.ts'
import type { CostAt } from '../prices/import.ts'
import type { ReadNetwork } from '../probes/network.ts'
import type { UserDeps } from '../users/deps.ts'
import type { Log } from '../values/log.ts'
import type { PseudonymOf } from '../values/secrets/pseudonym.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import type { CarriersAnswer } from './console/operator/schema.ts'
import type { Gate } from './gate.ts'

export type Installation = Pick<CarriersAnswer, 'prices' | 'vendors'> & { routes: RouteSettings[] }

/** Dependencies of the HTTP server, constructed in `service.ts`. */
export type HttpDeps = SendDeps &
  RequestDeps &
  VerifyDeps &
  BuyDeps &
  VendorCallbackDeps &
  UserDeps &
  UploadDeps & {
    db: Db
    limits: Limits
    /** Pool of short statements that only read by key; their plans are kept. */
    quick_db: Db
    /** Pseudonyms of erased numbers. */
    pseudonymOf: PseudonymOf
    log: Log
    sign_in: SignIn
    meters: Meters
    /** Undefined if traces are off. */
    tracer: Tracer | undefined
    live: Live
    /** The request log, and its retention in days; undefined if off. */
    requests: RequestLog | undefined
    requests_days: number
    authenticate: Authenticate
    /** Invalidates what every process has cached of the organisation. */
    notifyChange: (organisation_id: string) => void
    links: Links
    /** Dependencies of a lookup by this caller: a test key queries no provider. */
    lookupOf: (caller: { mode: 'live' | 'test' }) => LookupDeps
    countContactRows: CountRows
    findContactStart: FindStart
    whatsapp_webhook: WhatsappWebhook
    whatsapp_templates: TemplateManager
    vendor_posts: VendorPosts
    /** The API of the phone app. */
    phones: PhoneApi
    /** The phone carriers, with the details a phone needs to join. */
    listPhones: (public_url: string) => Promise<ShownPhoneCarrier[]>
    /** Serve plain sends on the socket, without Node's HTTP server. */
    express: boolean
    /** Auth tokens of Twilio's clients, which also sign posts to them. */
    authTokenOf: AuthTokenOf
    /** Encrypts callback secrets at rest. */
    secret_seal: SecretSeal
    /** No real carrier is configured. */
    sandbox: boolean
    /** Queues of all routes. */
    route_queues: readonly string[]
    carrierStates: () => Promise<CarrierState[]>
    /** The reasons why messages are held. */
    readHolds: () => Promise<Hold[]>
    /** The state of the installation. */
    readStatus: () => Promise<Status>
    /** The configuration without secrets. */
    installation: Installation
    /** What changes of carriers and routes are validated against. */
    configuration: Configuration
    /** What the carriers charge. */
    costs: Costs
    /** What probes are sent through, and to. */
    readNetwork: ReadNetwork
    /** The cost of messages to a target of a price list. */
    costAt: CostAt
    /** Defaults of new organisations. */
    currency: string
    country: string
    /** The configured public address; undefined: the host of the request. */
    console_url: string | undefined
    /** Database reachable and migrated. */
    isReady: () => Promise<boolean>
    gate: Gate
    machine: Machine
    metrics: { port: number | undefined; token: string | undefined }
    /** The text of `GET /metrics`, over all processes that share the port. */
    gatherMetrics: () => Promise<string>
  }
