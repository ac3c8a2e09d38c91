import { readConfig } from '../config/config.ts'
import { findUnownedTexts } from '../messaging/inbound/read.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './operator-fault.ts'
import { table } from './table.ts'

const SHOWN = 100

/** Texts to numbers that belong to no organisation: somebody should have them. */
export async function inbound([action = 'list', ...others]: string[]): Promise<void> {
  if (action !== 'list' || others.length > 0) throw new OperatorFault('Say gangan inbound list.')
  const texts = await withDatabase(readConfig(), (db) => findUnownedTexts({ db }, SHOWN))
  process.stdout.write(
    table(
      ['time', 'from', 'to', 'text'],
      texts.map(({ created_datetime, from, to, text }) => [created_datetime, from, to, JSON.stringify(text)]),
    ),
  )
}
