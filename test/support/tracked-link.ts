import type { caller } from './service.ts'
import { until } from './until.ts'

/** Sends a message with a tracked link, and returns the short link on the virtual phone. */
export async function sendTrackedLink(call: ReturnType<typeof caller>, target: string): Promise<string> {
  await call('POST', '/sms/send', { recipients: '08031234567', content: `See ${target}`, is_trackable: true })
  return until('the message', async () => {
    const { body } = await call<{ messages: { text: string }[] }>('GET', '/sandbox/messages')
    return body.messages.map(({ text }) => /See (http:\/\/\S+)/.exec(text)?.[1]).find((url) => url !== undefined)
  })
}
