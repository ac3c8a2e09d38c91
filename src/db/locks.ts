/**
 * The advisory locks that have a number: any, the same in every process and release, and each its own. Locks for one of
 * many things (an organisation, a number) are hashes of a text that names them, made where they are taken.
 */
export const LOCKS = {
  /** Who makes or restores the schema. */
  schema: 7_264_264,
  /** Who founds the first organisation. */
  first_organisation: 7_264_265,
  /** Who makes the first operator. */
  first_operator: 7_264_266,
  /** Who imports a registry, with a second number that says which. */
  registry_import: 7_264_267,
  /** Shared by who wants no partition to come or go: a backup. */
  partitions_stay: 7_264_268,
  /** Who makes a backup of the schedule. */
  backup_schedule: 7_264_269,
  /** Who makes or drops a partition. */
  partitions: 7_264_270,
  /** Who writes a backup, with a second number that its unfinished file has in its name. */
  backup_file: 7_264_271,
} as const
