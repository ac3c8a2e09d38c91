/**
 * Keys of advisory locks, which must never change. Locks of single objects (an organisation, a phone number) use a hash
 * of a text instead, computed where they are taken.
 */
export const LOCKS = {
  /** Held while the schema is migrated or restored. */
  schema: 7_264_264,
  /** Held while the first organisation is created. */
  first_organisation: 7_264_265,
  /** Held while the first operator is created. */
  first_operator: 7_264_266,
  /** Held by the import of a registry; the second key is the registry. */
  registry_import: 7_264_267,
  /** Held in shared mode by a backup, to keep partitions from being created or dropped. */
  partitions_stay: 7_264_268,
  /** Held by the process that makes a scheduled backup. */
  backup_schedule: 7_264_269,
  /** Held while a partition is created or dropped. */
  partitions: 7_264_270,
  /** Held while a backup is written; the second key is in the name of its unfinished file. */
  backup_file: 7_264_271,
  /** Held by the process that seals again what a former pepper sealed. */
  resealing: 7_264_272,
  /** Held while a process that goes live opens its port again. */
  reopening: 7_264_273,
} as const
