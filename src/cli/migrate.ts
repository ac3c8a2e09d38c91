import { readConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { withDatabase } from './database.ts'

export async function migrateCommand(): Promise<void> {
  const applied = await withDatabase(readConfig(), migrate)
  process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'The schema is up to date.\n')
}
