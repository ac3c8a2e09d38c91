import { readFile, statfs } from 'node:fs/promises'
import { X509Certificate } from 'node:crypto'
import { codeOf, messageOf } from '../values/thrown.ts'
import type { Meters } from './meters.ts'

/** What this process depends on outside the database, by the name of the metric's label. */
export type Machine = {
  /** Folders whose disk may fill up. */
  folders: Readonly<Record<string, string>>
  /** Files of certificates that expire. */
  certificates: Readonly<Record<string, string>>
  /** How far the log of the embedded database is archived, in Unix time; undefined if it is not. */
  readArchive?: (() => Promise<{ until_s: number; base_s: number } | undefined>) | undefined
}

type Fault = { fault: string }
export type MachineState = {
  disks: { folder: string; path: string; outcome: { free: number; size: number } | Fault }[]
  certificates: { certificate: string; path: string; outcome: { expires: string } | Fault }[]
}

/** Reads the free space of disks, in bytes, and when certificates expire. */
export async function readMachine({ folders, certificates }: Machine): Promise<MachineState> {
  const [disks, expiries] = await Promise.all([
    Promise.all(
      Object.entries(folders).map(async ([folder, path]) => {
        const outcome = await statfs(path).then(
          ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
          faultOf,
        )
        return { folder, path, outcome }
      }),
    ),
    Promise.all(
      Object.entries(certificates).map(async ([certificate, path]) => {
        const outcome = await readFile(path)
          .then((text) => ({ expires: new Date(new X509Certificate(text).validTo).toISOString() }))
          .catch(faultOf)
        return { certificate, path, outcome }
      }),
    ),
  ])
  return { disks, certificates: expiries }
}

/** Sets the metrics of disks and certificates; what cannot be read has no value. */
export async function measureMachine(meters: Meters, machine: Machine): Promise<void> {
  const { disks, certificates } = await readMachine(machine)
  for (const { folder, outcome } of disks) {
    if ('fault' in outcome) continue
    meters.disk_free.set({ folder }, outcome.free)
    meters.disk_size.set({ folder }, outcome.size)
  }
  for (const { certificate, outcome } of certificates) {
    if ('expires' in outcome) meters.certificate_expiry.set({ certificate }, Date.parse(outcome.expires) / 1_000)
  }
  const archive = await machine.readArchive?.().catch(() => undefined)
  if (!archive) return
  meters.wal_archived.set({}, archive.until_s)
  meters.wal_base.set({}, archive.base_s)
}

function faultOf(fault: unknown): Fault {
  return { fault: codeOf(fault) ?? messageOf(fault) }
}
