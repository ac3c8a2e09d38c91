import { listPhones } from '../../carriers/phone/list.ts'
import { phoneQueue, PHONE_REMOVED } from '../../carriers/phone/queues.ts'
import type { ShownPhone } from '../../carriers/phone/schema.ts'
import { forgetPhone, nextPairing } from '../../carriers/phone/store.ts'
import { carriersOfKind } from '../../carriers/kinds.ts'
import type { Db } from '../../db/connect.ts'
import { readKeys } from '../../otp/pepper.ts'
import { makeWakeups } from '../../queue/wakeups.ts'
import { withConfigured } from '../configured.ts'
import { form, type Command } from '../terminal/command.ts'
import { notFound } from '../terminal/operator-fault.ts'
import { done, table, type Columns, type Result } from '../terminal/result.ts'

/** Lists the phones of phone carriers with the data to pair one, and revokes phones. */
const LIST = 'list phones that send SMS, with the data to pair another'

export const phones: Command = [
  form('', LIST, {}, list),
  form('list', LIST, {}, list),
  form('rotate CARRIER', 'issue a new private token; paired phones stay', {}, (_, carrier = '') => rotate(carrier)),
  form('forget CARRIER PHONE', 'revoke a phone; rotate first if it is lost', {}, (_, carrier = '', id = '') =>
    forget(carrier, id),
  ),
]

async function list(): Promise<Result> {
  const shown = await withConfigured(async (db, config) => {
    const { phone_key } = await readKeys({ db }, config)
    return listPhones({ db, phone_key }, carriersOfKind(config.settings.carriers, 'phone'), config.public_url)
  })
  if (shown.length === 0) throw notFound('No carrier of the kind phone is configured; see docs/phones.md.')
  const texts = shown.map(({ carrier, address, token, phones: own }) => {
    const pairing = `${carrier}: server address ${address}, private token ${token}`
    return `${pairing}\n${table(own.flatMap(linesOf), COLUMNS)}\n`
  })
  return { data: shown, text: texts.join('') }
}

async function rotate(carrier: string): Promise<Result> {
  await withPhones(carrier, async (db) => void (await nextPairing(db, carrier)))
  return done(`${carrier} has a new private token; phones that have joined stay. gangan phones shows it.`, { carrier })
}

async function forget(carrier: string, id: string): Promise<Result> {
  await withPhones(carrier, async (db) => {
    const is_id = /^[\da-f-]{36}$/.test(id)
    if (!is_id || !(await forgetPhone(db, carrier, id))) {
      throw notFound(`${carrier} has no phone ${id}; gangan phones lists what there is.`)
    }
    const wakeups = await makeWakeups(db)
    wakeups.wake(phoneQueue(id), 0, PHONE_REMOVED)
    await new Promise((resolve) => setTimeout(resolve, NOTIFY_MS))
    await wakeups.close()
  })
  return done(`${id} is forgotten. If it still knows the private token it may join again.`, { carrier, id })
}

/** Other processes are notified with a short delay. */
const NOTIFY_MS = 200

async function withPhones(carrier: string, work: (db: Db) => Promise<void>): Promise<void> {
  await withConfigured(async (db, config) => {
    if (!carriersOfKind(config.settings.carriers, 'phone').some(({ name }) => name === carrier)) {
      throw notFound(`There is no carrier ${carrier} of the kind phone in the configuration.`)
    }
    await work(db)
  })
}

type Line = ShownPhone & { of: ShownPhone['sims'][number] }

const COLUMNS: Columns<Line> = {
  phone: (one) => one.id,
  name: (one) => one.name,
  there: (one) => (one.present ? 'yes' : 'no'),
  seen: (one) => one.seen_datetime ?? 'never',
  battery: ({ battery, charging }) => (battery === undefined ? '' : `${battery} %${charging ? ', charging' : ''}`),
  network: (one) => one.network,
  SIM: ({ of }) =>
    `${of.sim === 0 ? 'any' : of.sim}${of.number === undefined ? '' : ` ${of.number}`}${of.rests_until === undefined ? '' : ', rests'}`,
  minute: ({ of }) => of.used_minute,
  hour: ({ of }) => of.used_hour,
  day: ({ of }) => of.used_day,
  'in flight': ({ of }) => of.in_flight,
}

function linesOf(phone: ShownPhone): Line[] {
  return phone.sims.map((of) => ({ ...phone, of }))
}
