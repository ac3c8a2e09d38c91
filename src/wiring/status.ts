import { resolve } from 'node:path'
import { carriersOfKind, makeCarrierStates } from '../carriers/kinds.ts'
import type { Config } from '../config/config.ts'
import { measureArchive } from '../db/archive/keep.ts'
import type { Db } from '../db/connect.ts'
import { clusterPlace } from '../db/embedded/cluster.ts'
import { makeReadHolds } from '../messaging/dispatch/holds.ts'
import type { Machine } from '../observe/machine.ts'
import type { DatabaseSubject, StatusSubject } from '../status/read-status.ts'
import { readVersion } from '../values/version.ts'

/** What the checks of the status look at, by the configuration; the same for the console and `gangan status`. */
export function machineSubject(config: Config): StatusSubject {
  return { version: readVersion(), machine: machineOf(config) }
}

export function databaseSubject(config: Config, db: Db): DatabaseSubject {
  const { settings, sandbox, public_url, database_url } = config
  const vendors = carriersOfKind(settings.carriers, 'http')
  const low_balances = vendors.flatMap(({ name, low_balance }) =>
    low_balance === undefined ? [] : [[name, low_balance] as const],
  )
  return {
    ...machineSubject(config),
    db,
    is_embedded: database_url === undefined,
    sandbox,
    backups: settings.backups,
    low_balances: new Map(low_balances),
    sells_airtime: settings.airtime.vendors.length > 0,
    carrierStates: makeCarrierStates({ db, public_url }, settings.carriers),
    readHolds: makeReadHolds({ db }, settings),
  }
}

export function machineOf({ data_dir, database_url, settings: { backups, smpp_server } }: Config): Machine {
  const cert = smpp_server?.tls?.cert
  return {
    folders: {
      ...(database_url === undefined ? { data: data_dir } : {}),
      ...(backups ? { backups: resolve(backups.folder) } : {}),
    },
    certificates: cert === undefined ? {} : { smpp_server: cert },
    readArchive: backups?.wal && database_url === undefined ? () => measureArchive(clusterPlace(data_dir)) : undefined,
  }
}
