import { readConfig } from '../config/config.ts'
import { findUnownedTexts } from '../messaging/inbound/read.ts'
import { withDatabase } from './database.ts'
import { form, type Command } from './terminal/command.ts'
import { rows, type Result } from './terminal/result.ts'

const SHOWN = 100
const LIST = 'list texts to numbers that belong to no organisation'

export const inbound: Command = [form('', LIST, {}, list), form('list', LIST, {}, list)]

async function list(): Promise<Result> {
  const texts = await withDatabase(readConfig(), (db) => findUnownedTexts({ db }, SHOWN))
  return rows(texts, {
    time: (one) => one.created_datetime,
    from: (one) => one.from,
    to: (one) => one.to,
    text: (one) => JSON.stringify(one.text),
  })
}
