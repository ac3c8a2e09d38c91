import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import type { PhoneMessage } from '../../src/emulators/phone/memory.ts'
import {
  startPhoneEmulator,
  type Fate,
  type PhoneEmulator,
  type PhoneEmulatorOptions,
} from '../../src/emulators/phone/phone.ts'
import { tokenOf } from './phone-api.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

export type Aired = PhoneMessage & { phone: string }

/** The entry of the configuration, with timeouts that suit a busy machine and intervals that suit a test. */
export function phoneCarrier(more: object = {}) {
  return {
    kind: 'phone',
    name: 'phones',
    per_minute: 1_000,
    per_hour: 10_000,
    per_day: 10_000,
    take_within_s: 3,
    answer_within_s: 20,
    ...more,
  }
}

export const PHONE_ROUTE = [{ name: 'line', channel: 'sms', carrier: 'phones' }]

/** A phone that sends every message immediately and reports it, and records what it sent. */
export function startPhone(
  service: { url: string },
  name: string,
  aired: Aired[],
  more: Partial<PhoneEmulatorOptions> = {},
): PhoneEmulator {
  async function* send(message: PhoneMessage): Fate {
    aired.push({ ...message, phone: name })
    yield 'Processed'
    yield 'Sent'
    yield 'Delivered'
  }
  const identity = { url: service.url + PHONE_PATH, token: tokenOf('phones'), name, sims: 1 }
  return startPhoneEmulator({ ...identity, send, retry_ms: 50, ...more })
}

/** The named phones are present, as the console shows them. */
export async function untilPresent({ db }: { db: TestService['db'] }, ...names: string[]): Promise<void> {
  await until(`${names.join()} to be present`, async () => {
    const rows = await db<{ name: string }[]>`select name from phones where phone_is_present(phones, 30)`
    return names.every((name) => rows.some((row) => row.name === name))
  })
}
