import { listPhones } from './list.ts'
import { makePhoneDoor, type DoorDeps, type PhoneDoor } from './door.ts'
import type { PhoneSettings, ShownPhoneCarrier } from './schema.ts'

/** What the front door has to know of phones. */
export function openPhones(
  deps: DoorDeps,
  carriers: readonly PhoneSettings[],
): { phones: PhoneDoor; listPhones: (public_url: string) => Promise<ShownPhoneCarrier[]> } {
  return {
    phones: makePhoneDoor(deps, carriers),
    listPhones: (public_url) => listPhones(deps, carriers, public_url),
  }
}
