import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import { newMemory, type PhoneMessage } from '../../src/emulators/phone/memory.ts'
import { startPhoneEmulator, type Fate, type PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import type { Mood, Peer } from '../contracts/message-network.ts'
import { tokenOf } from './phone-api.ts'
import { until } from './until.ts'

export const ANSWER_WITHIN_S = 1
export const PHONE_LIMITS = { per_minute: 1_000, per_hour: 10_000, per_day: 10_000 }

const THINKS_MS = 200
const failed = (result: string) => ({ state: 'Failed', error: `Send result: ${result} (in words)` }) as const
const LOST = { state: 'Failed', error: 'Delivery result from SC +2348030000000: 64' } as const

/** A phone on an emulated network that treats each message by its number. */
export async function startPhonePeer(
  carrier: string,
  { port = 0, api }: { port?: number; api?: { url: string } | undefined },
): Promise<Peer> {
  const moods = new Map<string, Mood>()
  const tries = new Map<string, number>()
  const aired: PhoneMessage[] = []
  const memory = newMemory()
  let next_number = 2_348_031_000_000 + Math.floor(Math.random() * 900_000)
  let reports_to: { url: string } | undefined
  let phone: PhoneEmulator | undefined

  async function* send(message: PhoneMessage): Fate {
    const number = message.to.replace('+', '')
    const mood = moods.get(number) ?? 'delivers'
    const tried = (tries.get(number) ?? 0) + 1
    tries.set(number, tried)
    if (mood === 'refuses') return yield failed('RESULT_INVALID_ARGUMENTS')
    if (mood === 'refuses_here') return yield failed('RESULT_ERROR_FDN_CHECK_FAILURE')
    if (mood === 'puts_off' && tried <= 2) return yield failed('RESULT_ERROR_NO_SERVICE')
    aired.push(message)
    if (mood === 'hangs') return
    if (mood === 'drops') return breakOff()
    if (mood === 'babbles') return void (await say('[{"id": 7}, "Sent"]'))
    if (mood === 'answers_slowly') await delay(THINKS_MS)
    if (mood === 'delivers_early') return yield 'Delivered'
    yield 'Processed'
    if (mood === 'disowns') {
      await delay(2_000 * ANSWER_WITHIN_S)
      yield failed('RESULT_ERROR_GENERIC_FAILURE')
      return yield failed('RESULT_ERROR_GENERIC_FAILURE')
    }
    yield 'Sent'
    if (mood === 'loses') {
      yield LOST
      return yield LOST
    }
    yield 'Delivered'
    if (mood === 'delivers_twice') yield 'Delivered'
  }

  async function say(body: string): Promise<boolean> {
    const answer = await fetch(`${reports_to?.url}${PHONE_PATH}/message`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${memory.registration?.token}`, 'content-type': 'application/json' },
      body,
    })
    return answer.status === 204
  }

  /** Its requests are cut off in the middle. */
  async function breakOff(): Promise<void> {
    const { hostname, port: at } = new URL(reports_to?.url ?? '')
    const socket = connect(Number(at), hostname)
    await new Promise((resolve) => socket.once('connect', resolve))
    const head = `PATCH ${PHONE_PATH}/message HTTP/1.1\r\nhost: phone\r\nauthorization: Bearer ${memory.registration?.token}`
    socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n[{"id":`)
    await delay(5)
    socket.destroy()
  }

  async function join(service: { url: string } | undefined): Promise<void> {
    reports_to = service
    phone?.kill()
    phone = undefined
    if (!service) return
    const identity = { url: service.url + PHONE_PATH, token: tokenOf(carrier), name: 'Test/phone', sims: 2 }
    phone = startPhoneEmulator({ ...identity, memory, send, retry_ms: 50 })
  }

  const peer: Peer = {
    port: port === 0 ? 1 : port,
    settings: {
      kind: 'phone',
      name: carrier,
      ...PHONE_LIMITS,
      in_flight_per_sim: 8,
      answer_within_s: ANSWER_WITHIN_S,
      take_within_s: 5,
    },
    get reports_to() {
      return reports_to
    },
    set reports_to(service) {
      void join(service)
    },
    number(mood) {
      const number = String((next_number += 1))
      moods.set(number, mood)
      return number
    },
    taken: async (_, recipient) =>
      aired
        .filter(({ to }) => to === `+${recipient}`)
        .map(({ text, priority, valid_until_ms }) => ({
          text,
          ...(priority >= 100 ? { urgent: true } : {}),
          expires_in_s: (valid_until_ms - Date.now()) / 1_000,
        })),
    async report(recipient) {
      const last = aired.findLast(({ to }) => to === `+${recipient}`)
      const recipients = [{ phoneNumber: last?.to, state: 'Delivered' }]
      return say(JSON.stringify([{ id: last?.id, state: 'Delivered', recipients, states: {} }]))
    },
    async sendText(text, id) {
      const url = `${reports_to?.url}${PHONE_PATH}/webhooks/${memory.registration?.id}`
      await until('the signing key', () => memory.signing_key !== undefined)
      const payload = { messageId: id, message: text, sender: '08031234567', simNumber: 1 }
      const body = JSON.stringify({ id, event: 'sms:received', deviceId: memory.registration?.id, payload })
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const signature = createHmac('sha256', memory.signing_key ?? '')
        .update(body + timestamp)
        .digest('hex')
      const headers = { 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-signature': signature }
      return (await fetch(url, { method: 'POST', headers, body })).status === 200
    },
    quiet: async () => phone?.quiet(),
    close: async () => phone?.stop(),
  }
  if (api) await join(api)
  return peer
}
