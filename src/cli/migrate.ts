import { readConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { form, type Command } from './command.ts'
import { withDatabase } from './database.ts'

/** Brings the database to the newest schema. */
export const migrateCommand: Command = [form('', {}, run)]

async function run(): Promise<void> {
  const applied = await withDatabase(readConfig(), migrate)
  process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'The schema is up to date.\n')
}
