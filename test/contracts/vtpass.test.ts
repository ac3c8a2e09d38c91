import { describe, expect, test } from 'vitest'
import { purchaseOutcome, requeryOutcome } from '../../src/carriers/vtpass/codes.ts'
import { makeVtpass } from '../../src/carriers/vtpass/vtpass.ts'
import { startVtpassServer, VTPASS_KEYS } from '../support/vtpass-server.ts'
import { topupCarrierContract } from './topup-carrier.ts'

const make = (base_url: string, timeout_ms: number) =>
  makeVtpass({ kind: 'vtpass', name: 'vtpass', base_url, timeout_ms, low_balance: 0, ...VTPASS_KEYS })

topupCarrierContract('VTpass', {
  start: startVtpassServer,
  make,
  tells_success_at_once: true,
  asked_by_reference: true,
  callbackFor: (requestId) => JSON.stringify({ type: 'transaction-update', data: { code: '000', requestId } }),
})

test('a reference begins with the minute in Lagos', () => {
  const vtpass = make('http://127.0.0.1:9', 1_000)
  const purchase_id = '01890a5d-ac96-774b-bcce-b302099a8057'
  expect(vtpass.referenceOf({ purchase_id, created_datetime: '2026-12-31T23:42:46.539766+00:00' })).toBe(
    '20270101004201890a5dac96774bbcceb302099a8057',
  )
})

describe('a code', () => {
  test.each([
    ['000 delivered', { code: '000', content: { transactions: { status: 'delivered' } } }, 'success', 'success'],
    ['000 pending', { code: '000', content: { transactions: { status: 'pending' } } }, 'accepted', 'accepted'],
    ['000 initiated', { code: '000', content: { transactions: { status: 'initiated' } } }, 'accepted', 'accepted'],
    ['000 reversed', { code: '000', content: { transactions: { status: 'reversed' } } }, 'failed', 'failed'],
    ['000 without more', { code: '000' }, 'unclear', 'unclear'],
    ['099', { code: '099' }, 'accepted', 'accepted'],
    ['016', { code: '016' }, 'failed', 'failed'],
    ['040', { code: '040' }, 'failed', 'failed'],
    ['091', { code: '091' }, 'failed', 'failed'],
    // A code that rejects a call rejects the purchase, but is no answer about an earlier one.
    ['011', { code: '011' }, 'failed', 'unclear'],
    ['030', { code: '030' }, 'failed', 'unclear'],
    ['018', { code: '018' }, 'error', 'unclear'],
    ['027', { code: '027' }, 'error', 'unclear'],
    ['087', { code: '087' }, 'error', 'unclear'],
    ['019', { code: '019' }, 'duplicate', 'unclear'],
    // Our references are unique: an existing one is this purchase.
    ['014', { code: '014' }, 'unclear', 'unclear'],
    ['015', { code: '015' }, 'unclear', 'not_found'],
    ['083', { code: '083' }, 'unclear', 'unclear'],
    ['an unknown code', { code: '777' }, 'unclear', 'unclear'],
  ])('%s', (_, json, bought, asked) => {
    expect(purchaseOutcome(json).kind).toBe(bought)
    expect(requeryOutcome(json).kind).toBe(asked)
  })
})
