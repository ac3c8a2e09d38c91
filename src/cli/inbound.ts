import { readConfig } from '../config/config.ts'
import { findUnownedTexts } from '../messaging/inbound/read.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { table } from './terminal/table.ts'

const SHOWN = 100

/** Lists texts to numbers that belong to no organisation. */
export const inbound: Command = [form('', {}, list), form('list', {}, list)]

async function list(): Promise<void> {
  const texts = await withDatabase(readConfig(), (db) => findUnownedTexts({ db }, SHOWN))
  process.stdout.write(
    table(
      ['time', 'from', 'to', 'text'],
      texts.map(({ created_datetime, from, to, text }) => [created_datetime, from, to, JSON.stringify(text)]),
    ),
  )
}
