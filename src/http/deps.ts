import type { BuyDeps } from '../airtime/buy.ts'
import type { HintDeps } from '../airtime/hint.ts'
import type { Db } from '../db/connect.ts'
import type { Authenticate } from '../organisations/authenticate.ts'
import type { Meters } from '../observe/meters.ts'
import type { LookupDeps } from '../lookup/lookup.ts'
import type { CountRows } from '../contacts/query/count.ts'
import type { Links } from '../messaging/links/links.ts'
import type { SendDeps } from '../messaging/send.ts'
import type { RequestDeps } from '../otp/request.ts'
import type { Log } from '../values/log.ts'

/** What the front door needs of the house; `service.ts` hands it in. */
export type HttpDeps = SendDeps &
  RequestDeps &
  BuyDeps &
  HintDeps & {
    db: Db
    log: Log
    meters: Meters
    authenticate: Authenticate
    /** Every process is to look anew at what it remembers of the organisation. */
    tellChange: (organisation_id: string) => void
    links: Links
    /** What a lookup of this caller may use: a test key asks no provider. */
    lookupOf: (caller: { mode: 'live' | 'test' }) => LookupDeps
    countContactRows: CountRows
    /** No real carrier is configured. */
    sandbox: boolean
    /** Database reachable and migrated. */
    isReady: () => Promise<boolean>
    /** The text of `GET /metrics`, of all processes that share the port. */
    gatherMetrics: () => Promise<string>
  }
