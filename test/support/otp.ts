import type { OtpSettings } from '../../src/otp/schema.ts'
import type { TestService, Organisation } from './service.ts'
import { until } from './until.ts'

export type Otp = {
  id: string
  recipient: string
  status: number
  status_desc: string
  created_datetime: string
  updated_datetime?: string
  message?: string
  errors?: { field: string; type: string; message: string }[]
}

export const RIGHT = 'Zk3pQ9xW7b'

/** Requests a token; it is `RIGHT` unless the body says otherwise. */
export async function request(by: Organisation, body: object = {}, headers?: Record<string, string>) {
  return by.call<Otp>('POST', '/otp/request_token', { recipient: '08031234567', token: RIGHT, ...body }, headers)
}

export async function verify(by: Organisation, id: string, token = RIGHT) {
  return by.call<Otp>('POST', '/otp/verify', { id, token })
}

/** `field type` of each error. */
export function faults({ errors = [] }: { errors?: { field: string; type: string }[] }): string[] {
  return errors.map(({ field, type }) => `${field} ${type}`).sort()
}

/** Makes the OTP expire: all its times are moved into the past. */
export async function letTimePass(service: TestService, id: string, minutes: number): Promise<void> {
  await service.db`
    update otps set created_datetime = (created_datetime at time zone 'utc' - ${minutes} * interval '1 minute') at time zone 'utc',
      expires_datetime = (expires_datetime at time zone 'utc' - ${minutes} * interval '1 minute') at time zone 'utc'
    where id = ${id}`
  await service.db`
    update deliveries set expires_datetime = (expires_datetime at time zone 'utc' - ${minutes} * interval '1 minute') at time zone 'utc'
    where message_id = ${id}`
  await service.db`
    update intake set created_datetime = (created_datetime at time zone 'utc' - ${minutes} * interval '1 minute') at time zone 'utc'
    where ${id} between first_id and last_id`
}

/** The text of a message on the virtual phone. */
export async function handset(by: Organisation, recipient: string, channel = 'sms'): Promise<string> {
  return until('a message on the phone', async () => {
    const { body } = await by.call<{ messages: { text: string; channel: string }[] }>(
      'GET',
      `/sandbox/messages?recipient=${recipient}`,
    )
    return body.messages.find((message) => message.channel === channel)?.text
  })
}

export async function balance(by: Organisation): Promise<number> {
  return (await by.call<{ balance: number }>('GET', '/balance')).body.balance
}

/** For tests that call the module directly: a template of only the token, and default limits. */
export const OTP_SETTINGS: OtpSettings = {
  template: '{{token}}',
  origin: '',
  countries: [],
  limits: {
    number_per_10_minutes: 5,
    number_per_day: 20,
    number_failures_per_day: 3,
    prefix_per_hour: 200,
    country_per_hour: 10_000,
    organisation_per_hour: 20_000,
  },
  guard: { window_minutes: 60, conversion: 0.2, slow_from: 20, slow_every_s: 30, block_from: 50, block_minutes: 60 },
}
