import { anything, assert, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readHealth, readSims, readStates, readText } from './read-requests.ts'

const ID = '0193a1f2-7c00-7abc-8def-000000000001'

describe('requests of the app', () => {
  test('SIMs: those with a slot number, without duplicates; one unnamed SIM if the app may not read them', () => {
    const simCards = [
      { slotIndex: 0, simNumber: 1, carrierName: '**N NG', phoneNumber: '*******4567' },
      { slotIndex: 1, simNumber: 2 },
      { slotIndex: 1, simNumber: 2, carrierName: 'again' },
      { simNumber: 0 },
      { simNumber: 1.5 },
      'nonsense',
    ]
    expect(readSims({ simCards })).toEqual([
      { sim: 1, operator: '**N NG', number_end: '*******4567' },
      { sim: 2, operator: 'again', number_end: null },
    ])
    expect(readSims({ simCards: [] })).toEqual([{ sim: 0, operator: null, number_end: null }])
    expect(readSims({})).toBeUndefined()
  })

  test('message states: known states of valid ids', () => {
    const recipients = [{ phoneNumber: '+234', state: 'Failed', error: 'TTL expired' }]
    expect(
      readStates([
        { id: ID, state: 'Failed', recipients, states: { Pending: 'x', Sent: 'y' } },
        { id: 'abc', state: 'Sent' },
        { id: ID.replace('1f2', '1f3'), state: 'Cancelling' },
        null,
      ]),
    ).toEqual([{ id: ID, phone_state: 'Failed', error: 'TTL expired', has_sent: true }])
    expect(readStates(Array.from({ length: 5_000 }, () => ({ id: ID, state: 'Sent' })))).toHaveLength(1)
  })

  test('health: battery and connection', () => {
    const checks = {
      'battery:level': { observedValue: 93 },
      'battery:charging': { observedValue: 5 },
      'connection:transport': { observedValue: 6 },
      'connection:cellular': { observedValue: 4 },
    }
    expect(readHealth({ health: { checks } })).toEqual({ battery: 93, charging: true, network: 'Wi-Fi, mobile 4G' })
    expect(readHealth({})).toEqual({ battery: null, charging: null, network: null })
    expect(readHealth({ health: { checks: { 'battery:level': { observedValue: 700 } } } }).battery).toBeNull()
  })

  test('received texts, in the formats of current and older apps', () => {
    const payload = {
      messageId: 'x',
      message: 'STOP',
      sender: '+2348031234567',
      recipient: '+2348039999999',
      simNumber: 2,
    }
    expect(readText({ id: 'a', payload })).toEqual({
      id: 'a',
      from: '+2348031234567',
      recipient: '+2348039999999',
      sim: 2,
      text: 'STOP',
    })
    expect(readText({ id: 'a', payload: { phoneNumber: 'MTN', message: 'Hi' } })).toMatchObject({
      from: 'MTN',
      sim: null,
    })
    expect(readText({ id: 'a', payload: { message: 'Hi' } })).toBeUndefined()
  })

  test('never throw, for any JSON', () => {
    assert(
      property(anything(), (given) => {
        readSims(given)
        readSims({ simCards: given })
        readStates(given)
        readStates([given])
        readHealth(given)
        readText(given)
        readText({ id: 'a', payload: given })
      }),
    )
  })
})
