import { makeAfricasTalking } from '../../src/carriers/africastalking/africastalking.ts'
import { AFRICASTALKING_KEYS, startAfricasTalkingServer } from '../support/africastalking-server.ts'
import { topupCarrierContract } from './topup-carrier.ts'

topupCarrierContract("Africa's Talking", {
  start: startAfricasTalkingServer,
  make: (base_url, timeout_ms) =>
    makeAfricasTalking({
      kind: 'africastalking',
      name: 'africastalking',
      base_url,
      timeout_ms,
      low_balance: 0,
      ...AFRICASTALKING_KEYS,
    }),
  tells_success_at_once: false,
  asked_by_reference: false,
  callbackFor: (_, requestId) =>
    new URLSearchParams({ phoneNumber: '+2348031234567', status: 'Success', requestId }).toString(),
})
