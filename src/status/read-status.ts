import type { Machine } from '../observe/machine.ts'
import type { CarrierState } from '../carriers/schema.ts'
import type { BackupSettings } from '../db/backup/settings.ts'
import type { Db } from '../db/connect.ts'
import type { Hold } from '../messaging/read/schema.ts'
import { findArchive } from './archive.ts'
import { findBackups } from './backups.ts'
import { makeChecks, worst, type Check, type Finding } from './check.ts'
import { fill } from '../values/fill.ts'
import { findAirtime, findKeys, findSenders } from './customers.ts'
import { findClockSkew, findConnections, findDatabase, findProcesses, findSchema } from './database.ts'
import { findCarrierCertificates, findCertificates, findDisks } from './machine.ts'
import type { Status } from './schema.ts'
import { findBalances, findCallbacks, findCarriers, findHolds, findQueues } from './traffic.ts'

/** What the checks look at on this machine. */
export type StatusSubject = {
  version: string
  machine: Machine
}

/** And in the database. */
export type DatabaseSubject = StatusSubject & {
  db: Db
  is_embedded: boolean
  sandbox: boolean
  backups: BackupSettings | undefined
  /** `low_balance` of HTTP carriers, by name. */
  low_balances: ReadonlyMap<string, number>
  sells_airtime: boolean
  carrierStates: () => Promise<CarrierState[]>
  readHolds: () => Promise<Hold[]>
}

/** Checks of the machine that asks, in the order in which they are shown. */
const MACHINE_CHECKS: readonly Check<StatusSubject>[] = [
  { name: 'version', section: 'An upgrade does not finish', find: findVersion },
  { name: 'disk', section: 'GanganDiskFull', find: findDisks },
  { name: 'certificates', section: 'GanganCertificateExpires', find: findCertificates },
]

/** Checks of the installation. A new check is an entry here, with a section in docs/runbook.md. */
const DATABASE_CHECKS: readonly Check<DatabaseSubject>[] = [
  { name: 'processes', section: 'GanganDown', find: findProcesses },
  { name: 'database', section: 'The database cannot be used', find: findDatabase },
  { name: 'connections', section: 'GanganDatabaseConnections', find: findConnections },
  { name: 'schema', section: 'An upgrade does not finish', find: findSchema },
  { name: 'clock', section: 'The clocks differ', find: findClockSkew },
  { name: 'backups', section: 'GanganBackupFails', find: findBackups },
  { name: 'archive', section: 'GanganArchiveBehind', find: findArchive },
  { name: 'carriers', section: 'GanganBindDown', find: findCarriers },
  { name: 'balances', section: 'GanganCarrierBalanceLow', find: findBalances },
  { name: 'carrier certificates', section: 'GanganCertificateExpires', find: findCarrierCertificates },
  { name: 'queues', section: 'GanganQueueOld', find: findQueues },
  { name: 'held messages', section: 'GanganMessagesHeld', find: findHolds },
  { name: 'callbacks', section: 'GanganCallbacksFailing', find: findCallbacks },
  { name: 'senders', section: 'A sender waits for a decision', find: findSenders },
  { name: 'keys', section: 'An API key expires', find: findKeys },
  { name: 'airtime', section: 'GanganAirtimeReview', find: findAirtime },
]

const TIMEOUT_MS = 5_000

/** Makes all checks at once. While the database is unreachable, that is what is found in place of those that need it. */
export async function readStatus(
  subject: DatabaseSubject | (StatusSubject & { unreachable: Finding }),
): Promise<Status> {
  const options = { timeout_ms: TIMEOUT_MS }
  const [of_machine, of_database] = await Promise.all([
    makeChecks(MACHINE_CHECKS, subject, options),
    'db' in subject
      ? makeChecks(DATABASE_CHECKS, subject, options)
      : makeChecks(
          [{ name: 'database', section: 'The database cannot be used', find: () => subject.unreachable }],
          subject,
          options,
        ),
  ])
  const findings = [...of_machine, ...of_database]
  return {
    level: worst(findings.map(({ level }) => level)),
    version: subject.version,
    checked_datetime: new Date().toISOString(),
    findings,
  }
}

function findVersion({ version }: StatusSubject): Finding {
  return { level: 'ok', summary: fill('Gangan {version} on Node.js {node}.', { version, node: process.versions.node }) }
}
