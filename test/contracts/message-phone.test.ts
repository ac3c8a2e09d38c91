import { withDefaults } from '../../src/values/schema/check.ts'
import { PhoneSettings } from '../../src/carriers/phone/schema.ts'
import { openPhoneApi } from '../support/phone-api.ts'
import { startPhonePeer } from '../support/phone-peer.ts'
import { messageCarrierContract } from './message-carrier.ts'

/** The API for phones of the carrier that is tested alone. */
let api: { url: string; close(): Promise<void> } | undefined

messageCarrierContract('a phone', {
  channel: 'sms',
  // A message for an expected phone waits for it at the carrier.
  start: (port) => startPhonePeer(port === undefined ? 'phones' : 'lonely', port === undefined ? {} : { port, api }),
  async open(deps) {
    const settingsOf = (name: string) => withDefaults(PhoneSettings, { kind: 'phone', name }) as PhoneSettings
    api = await openPhoneApi(deps, ['phones', 'lonely'].map(settingsOf))
    return api
  },
  never: {
    loses_a_part: 'the phone splits a text and reports on the whole',
    reports_strays: 'what a phone says of messages that are not in its hands is not stored',
  },
  resubmittable: true,
  tells_room: true,
  told_urgency: true,
  sends_expiry: true,
  knows_our_reference: true,
  names_texts: true,
  // A message without a report from its phone keeps its slot until the phone may not send it any more.
  patient: { answer_within_s: 60, valid_for_s: 10 },
  // A SIM that fails repeatedly is paused for minutes.
  async letTimePass(db) {
    await db`update phone_sims set failures = 0, rests_until = null where failures > 0`
  },
})
