import type { Db } from '../db/connect.ts'
import type { Authenticate } from '../organisations/authenticate.ts'
import type { Meters } from '../observe/meters.ts'
import type { CountRows } from '../contacts/query/count.ts'
import type { SendDeps } from '../messaging/send.ts'
import type { Log } from '../values/log.ts'

/** What the front door needs of the house; `service.ts` hands it in. */
export type HttpDeps = SendDeps & {
  db: Db
  log: Log
  meters: Meters
  authenticate: Authenticate
  countContactRows: CountRows
  /** No real carrier is configured. */
  sandbox: boolean
  /** Database reachable and migrated. */
  isReady: () => Promise<boolean>
}
