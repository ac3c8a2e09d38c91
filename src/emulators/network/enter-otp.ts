import { request } from 'undici'
import { makeSemaphore } from '../../values/concurrency/semaphore.ts'
import { isRecord } from '../../values/record.ts'

/** Whose OTPs people enter. */
export type OtpService = { url: string; key: string }

/** Enters a token in the newest open OTP of a number; true: it was right. */
export type EnterOtp = (recipient: string, token: string) => Promise<boolean>

const MAX_AT_ONCE = 32
/** People beyond these give up. */
const MAX_WAITING = 10_000
const TIMEOUT_MS = 15_000
const SENT = 'SENT'

/** Over the HTTP API, as the application of the customer does. Errors of the service count as not verified. */
export function makeEnterOtp(service: OtpService): EnterOtp {
  const semaphore = makeSemaphore(MAX_AT_ONCE)

  async function call(path: string, body?: object): Promise<unknown> {
    const { url, key } = service
    const { statusCode, body: answer } = await request(url.replace(/\/+$/, '') + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
    if (statusCode === 200) return await answer.json()
    await answer.dump()
    return undefined
  }

  async function enter(recipient: string, token: string): Promise<boolean> {
    const listed = await call(`/otp/get-by-recipient?recipient=${recipient}`)
    const open = Array.isArray(listed) ? listed.find((one) => isRecord(one) && one.status_desc === SENT) : undefined
    if (!isRecord(open)) return false
    return (await call('/otp/verify', { id: open.id, token })) !== undefined
  }

  return async (recipient, token) => {
    if (semaphore.size >= MAX_WAITING) return false
    return await semaphore.run(() => enter(recipient, token)).catch(() => false)
  }
}
