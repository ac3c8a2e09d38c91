import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { checkBackup, loadRows } from '../../src/db/backup/restore.ts'
import type { Db } from '../../src/db/connect.ts'
import { transactionWithCopy } from '../../src/db/copy.ts'

/**
 * An installation at schema 65, the last of the numbering before `0001_schema.sql`, made with the build of commit
 * 06f9fe95: its migrations and functions as one text, and a backup of an installation that had sent messages, bought
 * airtime and accepted a message that was not submitted yet.
 */
const SCHEMA = new URL('schema-65.sql.gz', import.meta.url)
export const FORMER_BACKUP = fileURLToPath(new URL('schema-65.backup.gz', import.meta.url))
export const FORMER = {
  organisation_id: '01a1ee32-a61d-7393-9194-7037541251b2',
  /** Accepted and not submitted. */
  message_id: '01a1ee32-f56b-7297-9e9b-3e7a4b8f4c32',
  content: 'Waits "in" \\ the ẹ intake',
}

/** Creates the tables of schema 65 in an empty database, and fills them. */
export async function fillFormer(db: Db): Promise<void> {
  const backup = await checkBackup(FORMER_BACKUP)
  await transactionWithCopy(db, async (tx, copy) => {
    await tx.unsafe(gunzipSync(readFileSync(SCHEMA)).toString())
    await loadRows(tx, copy, backup)
  })
}
