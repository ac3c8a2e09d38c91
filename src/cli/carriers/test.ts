import { sendTest } from '../../live-config/send-test.ts'
import { DEFAULT_TEST_TEXT } from '../../messaging/dispatch/test-send.ts'
import { makeWakeups } from '../../queue/wakeups.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { withConfigured } from '../configured.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'
import { done, type Result } from '../terminal/result.ts'

type Given = { to?: string; from?: string; text?: string }

/** Sends a message through a carrier of the running service. */
export async function test({ to, from, text = DEFAULT_TEST_TEXT }: Given, name: string): Promise<Result> {
  if (to === undefined) throw usageFault('--to is required.')
  const sent = await withConfigured(async (db, { settings }) => {
    const { default_country, default_sender_id } = settings.organisation
    const recipient = cleanPhone(to, dialPlan(default_country))
    if (recipient === undefined) throw usageFault(`${to} is no phone number.`)
    const sender_id = from ?? default_sender_id
    if (!sender_id) throw usageFault('--from is required: the configuration has no default sender.')
    const carrier = settings.carriers.find((one) => one.name === name)
    if (!carrier) throw notFound(`There is no carrier ${name}; gangan carriers list shows them.`)
    const wakeups = await makeWakeups(db)
    try {
      return await sendTest({ db, wakeups }, COMMAND_LINE, carrier, { recipient, sender_id, text })
    } finally {
      await wakeups.close()
    }
  })
  const { outcome, carrier_message_id: id, code, description } = sent
  const reason = [code, description].filter(Boolean).join(' ')
  const more = [id === undefined ? '' : ` as ${id}`, reason === '' ? '' : `: ${reason}`].join('')
  return done(`${name}: ${outcome}${more}.`, { carrier: name, ...sent })
}
