import type { BuyDeps } from '../airtime/buy.ts'
import type { HintDeps } from '../airtime/hint.ts'
import type { CarrierState } from '../carriers/schema.ts'
import type { Hold } from '../messaging/read/schema.ts'
import type { Db } from '../db/connect.ts'
import type { AuthTokenOf } from '../organisations/auth-token.ts'
import type { Authenticate } from '../organisations/authenticate.ts'
import type { Live } from '../observe/live.ts'
import type { Meters } from '../observe/meters.ts'
import type { Tracer } from '../observe/trace/tracer.ts'
import type { LookupDeps } from '../lookup/lookup.ts'
import type { VendorPosts } from '../carriers/http/webhook.ts'
import type { PhoneApi } from '../carriers/phone/api.ts'
import type { ShownPhoneCarrier } from '../carriers/phone/schema.ts'
import type { WhatsappWebhook } from '../carriers/whatsapp/webhook.ts'
import type { CountRows } from '../contacts/query/count.ts'
import type { Links } from '../messaging/links/links.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import type { RequestLog } from '../requests/log.ts'
import type { RequestDeps } from '../otp/request.ts'
import type { VerifyDeps } from '../otp/verification/verify.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { UserDeps } from '../users/deps.ts'
import type { Log } from '../values/log.ts'
import type { PseudonymOf } from '../values/secrets/pseudonym.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import type { CarriersAnswer } from './console/operator/schema.ts'

export type Installation = Pick<CarriersAnswer, 'routes' | 'prices' | 'vendors'>

/** What the front door needs of the service; `service.ts` hands it in. */
export type HttpDeps = SendDeps &
  RequestDeps &
  VerifyDeps &
  BuyDeps &
  HintDeps &
  UserDeps & {
    db: Db
    /** For statements that only probe by key: their plans are kept. */
    quick_db: Db
    /** Names people go by once they are erased. */
    pseudonymOf: PseudonymOf
    log: Log
    sign_in: SignIn
    meters: Meters
    /** Where traces are wanted. */
    tracer: Tracer | undefined
    live: Live
    /** What organisations call, where that is kept, and for how many days. */
    requests: RequestLog | undefined
    requests_days: number
    authenticate: Authenticate
    /** Every process is to look anew at what it remembers of the organisation. */
    notifyChange: (organisation_id: string) => void
    links: Links
    /** What a lookup of this caller may use: a test key asks no provider. */
    lookupOf: (caller: { mode: 'live' | 'test' }) => LookupDeps
    countContactRows: CountRows
    whatsapp_webhook: WhatsappWebhook
    vendor_posts: VendorPosts
    /** What the app on phones asks of us. */
    phones: PhoneApi
    /** Carriers that are made of phones, with what a phone has to be told to join. */
    listPhones: (public_url: string) => Promise<ShownPhoneCarrier[]>
    /** Whether the plainest sends are read on the socket, without Node's HTTP server. */
    express: boolean
    /** What Twilio's clients authenticate with, and what is posted to them is signed with. */
    authTokenOf: AuthTokenOf
    /** Keeps the secrets of callbacks unreadable in the tables. */
    secret_seal: SecretSeal
    /** No real carrier is configured. */
    sandbox: boolean
    /** The queues of messages on their way to carriers. */
    route_queues: readonly string[]
    carrierStates: () => Promise<CarrierState[]>
    /** Why messages do not leave. */
    readHolds: () => Promise<Hold[]>
    /** What the operator has configured, without secrets. */
    installation: Installation
    /** Of new organisations. */
    currency: string
    country: string
    /** Where people reach us, as configured; undefined: wherever a request came to. */
    console_url: string | undefined
    /** Database reachable and migrated. */
    isReady: () => Promise<boolean>
    /** Where figures are told, and to whom. */
    metrics: { port: number | undefined; token: string | undefined }
    /** The text of `GET /metrics`, of all processes that share the port. */
    gatherMetrics: () => Promise<string>
  }
