import { withDefaults } from '../../../values/schema/check.ts'
import { describe, expect, test } from 'vitest'
import { composeSubmit, relativeTime, senderAddress } from './compose-submit.ts'
import { SmppSettings } from '../schema.ts'

const { profile } = withDefaults(SmppSettings, { kind: 'smpp' }) as SmppSettings

const message = {
  organisation_id: 'o',
  message_id: 'm',
  recipient: '2348031234567',
  channel: 'sms' as const,
  sender_id: 'Gangan',
  text: 'Hello',
  pages: 1,
  expires_in_s: null,
  attempt: 1,
  urgent: false,
}

describe('the sender', () => {
  test.each([
    ['Gangan', 5, 0, 'Gangan'],
    ['My Shop', 5, 0, 'My Shop'],
    ['A1', 5, 0, 'A1'],
    ['32811', 3, 0, '32811'],
    ['2348031234567', 1, 1, '2348031234567'],
    ['+2348031234567', 1, 1, '2348031234567'],
  ])('%s goes as TON %i NPI %i', (sender_id, ton, npi, address) => {
    expect(senderAddress(sender_id, profile)).toEqual({ ton, npi, address })
  })
})

describe('a validity', () => {
  test.each([
    [0, '000000000001000R'],
    [59.2, '000000000100000R'],
    [900, '000000001500000R'],
    [86_400, '000001000000000R'],
    [86_399, '000000235959000R'],
    [45 * 86_400, '000115000000000R'],
    [400 * 86_400, '010110000000000R'],
  ])('of %s seconds is %s', (seconds, text) => {
    expect(relativeTime(seconds)).toBe(text)
  })
})

describe('a message', () => {
  test('requests a report, and nothing else', () => {
    const [segment] = composeSubmit(message, profile, 1)
    expect(segment?.sm).toMatchObject({
      registered_delivery: 1,
      validity_period: '',
      priority_flag: 0,
      service_type: '',
    })
  })

  test('takes validity, priority and service type from the profile', () => {
    const own = { ...profile, validity_h: 24, otp_priority: 3, service_type: 'CMT' }
    const [segment] = composeSubmit({ ...message, urgent: true }, own, 1)
    expect(segment?.sm).toMatchObject({ validity_period: '000001000000000R', priority_flag: 3, service_type: 'CMT' })
    const [dated] = composeSubmit({ ...message, expires_in_s: 60 }, own, 1)
    expect(dated?.sm.validity_period).toBe('000000000100000R')
  })

  test('counts in the rate the segments it is split into', () => {
    const long = { ...message, text: 'a'.repeat(400), pages: 3 }
    expect(composeSubmit(long, profile, 1).map(({ segments }) => segments)).toEqual([1, 1, 1])
    expect(composeSubmit(long, { ...profile, long: 'payload' }, 1).map(({ segments }) => segments)).toEqual([3])
  })
})
