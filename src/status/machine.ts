import { readMachine, type Machine } from '../observe/machine.ts'
import type { Db } from '../db/connect.ts'
import { listBindCertificates } from '../carriers/smpp/carrier/binds-store.ts'
import type { Finding } from './check.ts'
import { fill } from '../values/fill.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { bytesInWords, countInWords, percentInWords } from './units.ts'

const DAY_MS = 86_400_000

export async function findDisks({ machine }: { machine: Machine }): Promise<Finding[]> {
  const { disks } = await readMachine(machine)
  return disks.map(({ folder, path, outcome }) => {
    if ('fault' in outcome) {
      return {
        level: 'warning',
        summary: fill('The disk of {path} cannot be measured ({fault}).', { path, fault: outcome.fault }),
        advice: 'Check that the folder exists and that this user may enter it.',
      }
    }
    const { free, size } = outcome
    const share = free / Math.max(1, size)
    const level = levelOf(THRESHOLDS.disk_free, share)
    const values = { path, free: bytesInWords(free), share: percentInWords(share) }
    return {
      level,
      summary: fill('The disk of {path} has {free} left ({share}).', values),
      ...(level === 'ok' ? {} : { advice: folder === 'backups' ? LESS_BACKUPS : LESS_DATA }),
    }
  })
}

const LESS_DATA = 'Make space outside of the data folder, enlarge the disk, or keep less (retention).'
const LESS_BACKUPS = 'Make space, enlarge the disk, or keep fewer backups (backups.keep).'

/** Of the files this machine serves with. */
export async function findCertificates({ machine }: { machine: Machine }): Promise<Finding[]> {
  const { certificates } = await readMachine(machine)
  return certificates.map(({ certificate, path, outcome }) => {
    if ('fault' in outcome) {
      return {
        level: 'critical',
        summary: fill('The certificate {path} cannot be read ({fault}).', { path, fault: outcome.fault }),
        advice: 'Correct the path in the configuration, or the rights of the file.',
      }
    }
    return expiryOf(
      certificate,
      outcome.expires,
      'Renew the certificate and restart the service, which reads it at the start.',
    )
  })
}

/** Of SMPP carriers over TLS, as their binds last saw them. */
export async function findCarrierCertificates({ db }: { db: Db }): Promise<Finding[]> {
  const seen = await listBindCertificates(db)
  return seen.map(({ carrier, expires }) =>
    expiryOf(carrier, expires, 'Ask the carrier when it renews its certificate: an expired one ends the bind.'),
  )
}

function expiryOf(name: string, expires: string, advice: string): Finding {
  const days = (Date.parse(expires) - Date.now()) / DAY_MS
  const level = levelOf(THRESHOLDS.certificate_left, days)
  const values = {
    name,
    date: new Date(expires).toISOString().slice(0, 10),
    days: countInWords(Math.floor(days), 'day'),
  }
  if (days < 0) return { level, summary: fill('The certificate of {name} expired on {date}.', values), advice }
  return {
    level,
    summary: fill('The certificate of {name} expires on {date}, in {days}.', values),
    ...(level === 'ok' ? {} : { advice }),
  }
}
