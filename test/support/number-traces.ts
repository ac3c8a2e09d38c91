import type { Db } from '../../src/db/connect.ts'
import { dump } from './person-data.ts'

/** The rows of a dump that contain a Nigerian number, in any spelling or encoding; found without our code. */
export async function numberTraces(db: Db, number: string): Promise<string[]> {
  return (await dump(db))
    .filter(({ row }) => holdsNumber(row, number))
    .map(({ table, row }) => `${table}: ${row.slice(0, 300)}`)
}

export function holdsNumber(text: string, number: string): boolean {
  const digits = number.slice('234'.length)
  if (plain(text).includes(digits)) return true
  return encodings(digits).some((encoded) => text.includes(encoded) || text.includes(encoded.toUpperCase()))
}

/** Text with digits of all scripts converted and separators removed. NUL is the other half of UTF-16. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/%3(\d)/g, '$1')
    .replace(/%(?:20|00|28|29|2D|2E|A0|C2)|\\+u00a0/gi, '')
    .replace(/[\s\p{C}()[\]./\p{Pd}]/gu, '')
}

function encodings(digits: string): string[] {
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + digits).toString('base64')
    return encoded.slice(before === 0 ? 0 : before + 1, -4)
  })
  const utf16 = Buffer.from(digits, 'utf16le')
  return [Buffer.from(digits).toString('hex'), utf16.toString('hex'), utf16.swap16().toString('hex'), ...base64]
}

/** Makes all stored rows the given number of minutes older, except those of the ledger, which never change. */
export async function passTime(db: Db, minutes: number): Promise<void> {
  const tables = await db<{ table: string; columns: string[] }[]>`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and atttypid = 'timestamptz'::regtype and attnum > 0 and not attisdropped
      and relname not in ('ledger_lines', 'migrations', 'function_files', 'builds')
    group by relname`
  for (const { table, columns } of tables) {
    // Citus rejects functions in an update that depend on the time zone of the session.
    const set = columns.map(
      (column) => `"${column}" = ("${column}" at time zone 'UTC' - interval '${minutes} minutes') at time zone 'UTC'`,
    )
    await db.unsafe(`update "${table}" set ${set.join(', ')}`)
  }
}
