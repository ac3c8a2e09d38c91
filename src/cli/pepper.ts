import { readConfig } from '../config/config.ts'
import { readKeys } from '../otp/pepper.ts'
import { readMark } from '../otp/pepper-store.ts'
import { countSealed, OTP_HOURS } from '../sealing/reseal.ts'
import { withDatabase } from './database.ts'
import { form, type Command } from './terminal/command.ts'
import { EXIT } from './terminal/operator-fault.ts'
import { table, type Result } from './terminal/result.ts'

/** Shows how far a rotation of the pepper is. */
export const pepper: Command = [
  form('', 'show what is sealed under the present and the previous pepper, and whether that can be removed', {}, run),
]

async function run(): Promise<Result> {
  const config = readConfig()
  return withDatabase(config, async (db) => {
    const keys = await readKeys({ db }, config)
    const mark = await readMark(db)
    const counts = await countSealed({ db, keys })
    const sum = (of: 'former' | 'unreadable'): number => counts.reduce((total, count) => total + count[of], 0)
    const seals = mark === undefined || mark.mark === keys.pepper_mark
    const hours = keys.former ? Math.max(0, OTP_HOURS - (mark?.hours ?? 0)) : 0
    const is_done = seals && sum('former') === 0 && hours === 0
    const text = table(counts, {
      sealed: ({ says }) => says,
      present: ({ present }) => present,
      previous: ({ former }) => former,
      unreadable: ({ unreadable }) => unreadable,
    })
    const outcome = describe({ has_former: keys.former !== undefined, seals, left: sum('former'), hours, is_done })
    const unreadable = sum('unreadable')
    const warning = unreadable > 0 ? `${unreadable} values open under neither: issue them again.\n` : ''
    return {
      data: { rotating: keys.former !== undefined, done: is_done, outcome, counts },
      text: `${text}${outcome}\n${warning}`,
      exit: is_done && unreadable === 0 ? EXIT.ok : EXIT.warning,
    }
  })
}

function describe(found: {
  has_former: boolean
  seals: boolean
  left: number
  hours: number
  is_done: boolean
}): string {
  const { has_former, seals, left, hours, is_done } = found
  if (!has_former && seals) return 'The pepper is not being rotated.'
  if (!has_former)
    return 'The database was sealed under another pepper: set GANGAN_PEPPER_PREVIOUS to that, and restart.'
  if (is_done) return 'Nothing depends on the previous pepper: remove it, and restart the service.'
  if (!seals) return 'The previous pepper still seals: restart the service with both.'
  if (left > 0) return `${left} values are sealed under the previous pepper; the service is sealing them again.`
  return `One-time passwords of before may be open for ${Math.ceil(hours * 60)} minutes more.`
}
