import type { Dialect } from './dialect.ts'
import { africastalking } from './dialects/africastalking.ts'
import { infobip } from './dialects/infobip.ts'
import { kannel } from './dialects/kannel.ts'
import { makeSmsgate } from './dialects/smsgate.ts'
import { termii } from './dialects/termii.ts'
import { twilio } from './dialects/twilio.ts'
import { vonage } from './dialects/vonage.ts'

/** The emulated APIs, by the name of the preset. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  africastalking,
  infobip,
  kannel,
  smsgate: makeSmsgate('/3rdparty/v1'),
  'smsgate-local': makeSmsgate(''),
  termii,
  twilio,
  vonage,
}
