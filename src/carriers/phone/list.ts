import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import { present } from '../../values/record.ts'
import type { PhoneSettings, ShownPhone, ShownPhoneCarrier } from './schema.ts'
import { listPhoneLines, readPairing, type PhoneLine } from './store.ts'
import { pairingToken, PHONE_PATH, type PhoneKey } from './tokens.ts'

/** Lists the phone carriers with their phones, and the address and token that a phone needs to join. */
export async function listPhones(
  { db, phone_key }: { db: Db; phone_key: PhoneKey },
  carriers: readonly PhoneSettings[],
  public_url: string,
): Promise<ShownPhoneCarrier[]> {
  if (carriers.length === 0) return []
  const lines = groupBy(await listPhoneLines(db, carriers), ({ carrier }) => carrier)
  return Promise.all(
    carriers.map(async ({ name, per_minute, per_hour, per_day }) => ({
      carrier: name,
      address: `${public_url}${PHONE_PATH}`,
      token: pairingToken(phone_key, name, await readPairing(db, name)),
      limits: { per_minute, per_hour, per_day },
      phones: [...groupBy(lines.get(name) ?? [], ({ id }) => id).values()].flatMap(shownPhone),
    })),
  )
}

function shownPhone(lines: readonly PhoneLine[]): ShownPhone[] {
  const [first] = lines
  if (!first) return []
  const { id, name, app, registered_datetime } = first
  return [
    {
      id,
      name,
      app,
      present: first.present,
      registered_datetime,
      ...present('seen_datetime', first.seen_datetime),
      ...present('battery', first.battery),
      ...present('charging', first.charging),
      ...present('network', first.network),
      sims: lines.flatMap(({ sim, operator, number, used_minute, used_hour, used_day, in_flight, rests_until }) => {
        if (sim === null) return []
        const use = { used_minute, used_hour, used_day, in_flight }
        const named = { ...present('operator', operator), ...present('number', number) }
        return [{ sim, ...named, ...use, ...present('rests_until', rests_until) }]
      }),
    },
  ]
}
