import { listPhones } from '../../carriers/phone/list.ts'
import { phoneQueue, PHONE_REMOVED } from '../../carriers/phone/queues.ts'
import type { ShownPhone } from '../../carriers/phone/schema.ts'
import { forgetPhone, nextPairing } from '../../carriers/phone/store.ts'
import { carriersOfKind } from '../../carriers/kinds.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { pepperKeys, readPepper } from '../../otp/pepper.ts'
import { makeWakeups } from '../../queue/wakeups.ts'
import { form, type Command } from '../terminal/command.ts'
import { withDatabase } from '../database.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/table.ts'

/** Lists the phones of phone carriers with the data to pair one, and revokes phones. */
export const phones: Command = [
  form('', {}, list),
  form('list', {}, list),
  form('rotate CARRIER', {}, (_, carrier = '') => rotate(carrier)),
  form('forget CARRIER PHONE', {}, (_, carrier = '', id = '') => forget(carrier, id)),
]

async function list(): Promise<void> {
  const config = readConfig()
  const shown = await withDatabase(config, async (db) => {
    const { phone_key } = pepperKeys(await readPepper({ db }, config))
    return listPhones({ db, phone_key }, carriersOfKind(config.settings.carriers, 'phone'), config.public_url)
  })
  if (shown.length === 0) throw new OperatorFault('No carrier of the kind phone is configured; see docs/phones.md.')
  for (const { carrier, address, token, phones: own } of shown) {
    process.stdout.write(`${carrier}: server address ${address}, private token ${token}\n`)
    process.stdout.write(`${table(COLUMNS, own.flatMap(linesOf))}\n`)
  }
}

async function rotate(carrier: string): Promise<void> {
  await withPhones(carrier, async (db) => void (await nextPairing(db, carrier)))
  process.stdout.write(`${carrier} has a new private token; phones that have joined stay. gangan phones shows it.\n`)
}

async function forget(carrier: string, id: string): Promise<void> {
  await withPhones(carrier, async (db) => {
    const is_id = /^[\da-f-]{36}$/.test(id)
    if (!is_id || !(await forgetPhone(db, carrier, id))) {
      throw new OperatorFault(`${carrier} has no phone ${id}; gangan phones lists what there is.`)
    }
    const wakeups = await makeWakeups(db)
    wakeups.wake(phoneQueue(id), 0, PHONE_REMOVED)
    await new Promise((resolve) => setTimeout(resolve, NOTIFY_MS))
    await wakeups.close()
  })
  process.stdout.write(`${id} is forgotten. If it still knows the private token it may join again.\n`)
}

/** Other processes are notified with a short delay. */
const NOTIFY_MS = 200

async function withPhones(carrier: string, work: (db: Db) => Promise<void>): Promise<void> {
  const config = readConfig()
  if (!carriersOfKind(config.settings.carriers, 'phone').some(({ name }) => name === carrier)) {
    throw new OperatorFault(`There is no carrier ${carrier} of the kind phone in the configuration.`)
  }
  await withDatabase(config, work)
}

const COLUMNS = ['phone', 'name', 'there', 'seen', 'battery', 'network', 'SIM', 'minute', 'hour', 'day', 'in flight']

function linesOf({ id, name, present, seen_datetime, battery, charging, network, sims }: ShownPhone): string[][] {
  const power = battery === undefined ? '' : `${battery} %${charging ? ', charging' : ''}`
  const phone = [id, name, present ? 'yes' : 'no', seen_datetime ?? 'never', power, network ?? '']
  return sims.map(({ sim, number, used_minute, used_hour, used_day, in_flight, rests_until }) => [
    ...phone,
    `${sim === 0 ? 'any' : sim}${number === undefined ? '' : ` ${number}`}${rests_until === undefined ? '' : ', rests'}`,
    ...[used_minute, used_hour, used_day, in_flight].map(String),
  ])
}
