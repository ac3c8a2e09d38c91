import { readFile, statfs } from 'node:fs/promises'
import { X509Certificate } from 'node:crypto'
import type { Meters } from './meters.ts'

/** What this process depends on outside the database, by the name of the metric's label. */
export type Machine = {
  /** Folders whose disk may fill up. */
  folders: Readonly<Record<string, string>>
  /** Files of certificates that expire. */
  certificates: Readonly<Record<string, string>>
}

/** Sets the metrics of disks and certificates; what cannot be read has no value. */
export async function measureMachine(meters: Meters, { folders, certificates }: Machine): Promise<void> {
  const disks = Object.entries(folders).map(async ([folder, path]) => {
    const { bavail, blocks, bsize } = await statfs(path)
    meters.disk_free.set({ folder }, bavail * bsize)
    meters.disk_size.set({ folder }, blocks * bsize)
  })
  const expiries = Object.entries(certificates).map(async ([certificate, path]) => {
    const { validTo } = new X509Certificate(await readFile(path))
    meters.certificate_expiry.set({ certificate }, Date.parse(validTo) / 1_000)
  })
  await Promise.allSettled([...disks, ...expiries])
}
