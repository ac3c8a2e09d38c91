import { withDefaults } from '../../src/values/schema/check.ts'
import { PhoneSettings } from '../../src/carriers/phone/schema.ts'
import { openPhoneApi } from '../support/phone-api.ts'
import { startPhonePeer } from '../support/phone-peer.ts'
import { messageCarrierContract } from './message-carrier.ts'

/** Where phones find the carrier that is tested by itself. */
let door: { url: string; close(): Promise<void> } | undefined

messageCarrierContract('a phone', {
  channel: 'sms',
  // One that was expected comes to the carrier that has waited for it.
  start: (port) => startPhonePeer(port === undefined ? 'phones' : 'lonely', port === undefined ? {} : { port, door }),
  async open(deps) {
    const settingsOf = (name: string) => withDefaults(PhoneSettings, { kind: 'phone', name }) as PhoneSettings
    door = await openPhoneApi(deps, ['phones', 'lonely'].map(settingsOf))
    return door
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
  // What a phone has and is silent about keeps its place until the phone may not send it any more.
  patient: { answer_within_s: 60, valid_for_s: 10 },
  // A SIM that fails again and again rests for minutes.
  async letTimePass(db) {
    await db`update phone_sims set failures = 0, rests_until = null where failures > 0`
  },
})
