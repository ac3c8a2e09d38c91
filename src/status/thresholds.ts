import type { Level } from './check.ts'

/** From which value a figure is a warning, and critical. */
export type Threshold = {
  /** The figure, for the table in docs/watching.md. */
  figure: string
  unit: 's' | 'share' | 'days' | 'intervals' | 'count'
  warning?: number
  critical?: number
  /** A low value is the bad one. */
  below?: true
  /** The alert of deploy/prometheus/alerts.yaml on the same figure: one that pages at `critical`, or a ticket at `warning`. */
  alert?: string
}

/**
 * The thresholds of `gangan status` and of the console. Where an alert watches the same figure, its threshold is the same:
 * a test compares them.
 */
export const THRESHOLDS = {
  queue_age: {
    figure: 'age of the oldest due job of a queue',
    unit: 's',
    warning: 60,
    critical: 300,
    alert: 'GanganQueueOld',
  },
  held_for: {
    figure: 'time that messages have been held, unless by a rate',
    unit: 's',
    warning: 0,
    critical: 300,
    alert: 'GanganMessagesHeld',
  },
  disk_free: {
    figure: 'free share of a disk',
    unit: 'share',
    warning: 0.2,
    critical: 0.1,
    below: true,
    alert: 'GanganDiskFull',
  },
  connections: {
    figure: 'connections in use, as a share of those that PostgreSQL allows',
    unit: 'share',
    warning: 0.8,
    critical: 0.95,
    alert: 'GanganDatabaseConnections',
  },
  certificate_left: {
    figure: 'time until a certificate expires',
    unit: 'days',
    warning: 14,
    critical: 3,
    below: true,
    alert: 'GanganCertificateExpires',
  },
  backup_age: {
    figure: 'age of the newest complete scheduled backup, in intervals of `backups.every_hours`',
    unit: 'intervals',
    critical: 2,
    alert: 'GanganBackupOld',
  },
  backup_failures: {
    figure: 'scheduled backups that failed since the newest complete one',
    unit: 'count',
    warning: 0,
    alert: 'GanganBackupFails',
  },
  archive_age: {
    figure: 'time since the moment to which the archive of the embedded database reaches',
    unit: 's',
    critical: 900,
    alert: 'GanganArchiveBehind',
  },
  base_age: {
    figure: 'age of the newest base backup in the archive, in intervals of `backups.every_hours`',
    unit: 'intervals',
    warning: 2,
    alert: 'GanganBaseBackupOld',
  },
  clock_skew: {
    figure: 'difference between the clocks of this machine and of the database',
    unit: 's',
    warning: 1,
    critical: 30,
  },
  key_left: { figure: 'time until an API key expires', unit: 'days', warning: 14, below: true },
  sender_waits: { figure: 'time that a sender has waited for a decision', unit: 'days', warning: 1 },
  webhooks_failing: { figure: 'endpoints of customers that are failing or were disabled', unit: 'count', warning: 0 },
} as const satisfies Record<string, Threshold>

/** The level of a value. */
export function levelOf({ warning, critical, below }: Threshold, value: number): Level {
  const passes = (limit: number | undefined): boolean => limit !== undefined && (below ? value < limit : value > limit)
  if (passes(critical)) return 'critical'
  return passes(warning) ? 'warning' : 'ok'
}
