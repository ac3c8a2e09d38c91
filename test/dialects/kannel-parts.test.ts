import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startApplication } from './twilio-setup.ts'

const TO = '2348031234567'
const YORUBA = 'Ẹ káàbọ̀ sí Gangan. Ọjọ́ ìsinmi ni òní. '.repeat(6).trim()
const EMOJI = `a${'😀👋'.repeat(60)}`

let service: TestService
let by: Organisation
let application: Awaited<ReturnType<typeof startApplication>>

beforeAll(async () => {
  service = await openService()
  application = await startApplication()
})
beforeEach(async () => {
  by = await service.organisation()
  application.posted.length = 0
})
afterAll(async () => {
  await service.close()
  await application.close()
})

type Message = { id: string; recipients: string[]; content: string; charge: number }
type Sent = { status: number; text: string; id: string }

async function sendsms(query: string, owner = by): Promise<Sent> {
  const login = `username=shop&password=${owner.key}&from=Shop&to=${TO}`
  const response = await fetch(`${service.url}/cgi-bin/sendsms?${query.includes('to=') ? '' : `${login}&`}${query}`)
  return { status: response.status, text: await response.text(), id: response.headers.get('x-message-id') ?? '' }
}

const percent = (octets: Uint8Array) => Buffer.from(octets).toString('hex').replace(/../g, '%$&')
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()
const narrow = (n: number, total: number, reference = 42) =>
  `udh=${percent(Buffer.from([5, 0, 3, reference, total, n]))}`
const wide = (n: number, total: number) => `udh=${percent(Buffer.from([6, 8, 4, 0x12, 0x34, total, n]))}`

/** As Kannel writes them: 153 characters of GSM, or 66 of UTF-16, wherever that cuts. */
function partsOf(text: string, coding: 0 | 2, header = narrow): string[] {
  const octets = coding === 2 ? utf16(text) : Buffer.from(text)
  const size = coding === 2 ? 132 : 153
  const total = Math.ceil(octets.length / size)
  return Array.from({ length: total }, (_, n) => {
    const part = percent(octets.subarray(n * size, (n + 1) * size))
    return `text=${part}&${header(n + 1, total)}&coding=${coding}&charset=${coding === 2 ? 'UTF-16BE' : 'UTF-8'}`
  })
}

const messages = async (owner = by) => (await owner.call<{ messages: Message[] }>('GET', '/sms')).body.messages
const balanceOf = async (owner = by) => (await owner.call<{ balance: number }>('GET', '/balance')).body.balance
const waiting = async () => service.db`select from smpp_long_texts where organisation_id = ${by.id}`
const accepted = { status: 202, text: '0: Accepted for delivery' }

describe('parts of a long text', () => {
  test.each([
    ['GSM', 'A long one. '.repeat(30).trim(), 0, narrow],
    ['Yoruba', YORUBA, 2, narrow],
    ['emoji, cut between the halves of a pair', EMOJI, 2, narrow],
    ['references of 16 bits', EMOJI, 2, wide],
  ] as const)('are joined to one message, charged once: %s', async (_, text, coding, header) => {
    const before = await balanceOf()
    const parts = partsOf(text, coding, header)
    expect(parts.length).toBeGreaterThan(2)
    const sent: Sent[] = []
    for (const part of parts) sent.push(await sendsms(part))
    for (const one of sent) expect(one).toMatchObject({ ...accepted, id: sent[0]?.id })
    const [message, ...others] = await messages()
    expect(others).toEqual([])
    expect(message).toMatchObject({ id: sent[0]?.id, recipients: [TO], content: text })
    expect(before - (await balanceOf())).toBe(4 * parts.length)
    expect(await waiting()).toHaveLength(0)
    const shown = await until('the text on the phone', async () => {
      const { body } = await by.call<{ messages: { text: string }[] }>('GET', `/sandbox/messages?recipient=${TO}`)
      return body.messages[0]?.text
    })
    expect(shown).toBe(text)
  })

  test('may arrive in any order, concurrently, and twice before the last', async () => {
    const [first = '', ...others] = partsOf(EMOJI, 2)
    const before = await balanceOf()
    const sent = await Promise.all([...others.toReversed(), ...others].map((part) => sendsms(part)))
    expect(await messages()).toEqual([])
    sent.push(await sendsms(first))
    for (const one of sent) expect(one).toMatchObject({ ...accepted, id: sent[0]?.id })
    expect((await messages()).map(({ content }) => content)).toEqual([EMOJI])
    expect(before - (await balanceOf())).toBe(4 * (1 + others.length))
  })

  test('of different senders, keys and references are different texts', async () => {
    const same_organisation = await service.organisation({ of: by })
    const [first = '', second = ''] = partsOf('A long one. '.repeat(20).trim(), 0)
    const other_sender = `username=x&password=${by.key}&from=Other&to=${TO}`
    const answers = [
      await sendsms(first),
      await sendsms(`${other_sender}&${second}`),
      await sendsms(second, same_organisation),
      await sendsms(second.replace(narrow(2, 2), narrow(2, 2, 43))),
    ]
    expect(new Set(answers.map(({ id }) => id)).size).toBe(4)
    expect(await messages()).toEqual([])
    expect((await sendsms(second)).id).toBe(answers[0]?.id)
    expect(await messages()).toHaveLength(1)
  })

  test('are reported once, to the address that one of them names', async () => {
    const [first = '', second = ''] = partsOf('A long one. '.repeat(20).trim(), 0)
    const url = encodeURIComponent(`${application.url}/dlr?state=%d&id=%I&to=%P`)
    const { id } = await sendsms(`${first}&dlr-mask=19&dlr-url=${url}`)
    await sendsms(second)
    const [posted] = await until('the report', () => application.posted.length > 0 && application.posted)
    expect(posted?.path).toBe(`/dlr?state=1&id=${id}&to=${TO}`)
  })

  test('are given up when one has not come after the time, and that is reported', async () => {
    const [first = ''] = partsOf('A long one. '.repeat(20).trim(), 0)
    const before = await balanceOf()
    const url = encodeURIComponent(`${application.url}/dlr?state=%d&id=%I`)
    const { id } = await sendsms(`${first}&dlr-mask=19&dlr-url=${url}`)
    await sendsms(first.replace(narrow(1, 2), narrow(1, 2, 43)))
    await service.db`update smpp_long_texts set created_datetime = now() - interval '301 s'`
    await until('both to be given up', async () => (await waiting()).length === 0, 20_000)
    const [posted] = await until('the report', () => application.posted.length > 0 && application.posted)
    expect(posted?.path).toBe(`/dlr?state=2&id=${id}`)
    expect(await messages()).toEqual([])
    expect(await balanceOf()).toBe(before)
  })

  test('that were whole when the process died are sent later, once', async () => {
    const text = 'A long one. '.repeat(20).trim()
    const [first = '', second = ''] = partsOf(text, 0)
    const { id } = await sendsms(first)
    // As a process leaves it that died between keeping the last part and sending the text.
    await service.db`
      update smpp_long_texts set segments[2] = ${text.slice(153)}, created_datetime = now() - interval '31 s'
      where organisation_id = ${by.id}`
    await until('the text to be sent', async () => (await waiting()).length === 0, 20_000)
    expect((await messages()).map((one) => [one.id, one.content])).toEqual([[id, text]])
    expect((await sendsms(second)).status).toBe(202)
    expect(await messages()).toHaveLength(1)
  })

  test('wait for the last one to be paid: it is refused, and may come again', async () => {
    const poor = await service.organisation({ credit: 7 })
    const [first = '', second = ''] = partsOf('A long one. '.repeat(20).trim(), 0)
    expect(await sendsms(first, poor)).toMatchObject(accepted)
    expect((await sendsms(second, poor)).status).toBe(402)
    expect(await balanceOf(poor)).toBe(7)
    expect(await messages(poor)).toEqual([])
    await topUp({ db: service.db }, poor.id, 10_000n)
    expect(await sendsms(second, poor)).toMatchObject(accepted)
    expect(await balanceOf(poor)).toBe(0)
    expect(await messages(poor)).toHaveLength(1)
  })

  test('are scheduled and of low priority as a whole text is', async () => {
    const sent: Sent[] = []
    for (const part of partsOf('A long one. '.repeat(20).trim(), 0)) {
      sent.push(await sendsms(`${part}&deferred=60&validity=30&priority=0`))
    }
    expect(sent).toEqual([expect.objectContaining(accepted), expect.objectContaining(accepted)])
    expect((await by.call('DELETE', `/sms/${sent[0]?.id}`)).status).toBe(204)
  })

  test('that cannot be sent are refused with the first of them, and nothing is kept', async () => {
    const to = `username=x&password=${by.key}`
    const [part = ''] = partsOf('A long one. '.repeat(20).trim(), 0)
    const answerTo = async (query: string) => {
      const { status, text } = await sendsms(query)
      return `${status} ${text}`
    }
    expect(await answerTo(`${to}&to=12&${part}`)).toBe('400 Garbage in receiver field, rejected.')
    expect(await answerTo(`${to}&to=${TO}&from=Much+too+long+a+name&${part}`)).toMatch(/^400 .*rejected$/)
    expect(await answerTo(`${to}&to=${TO}&from=%00&${part}`)).toMatch(/^400 .*rejected$/)
    expect(await answerTo(`${part}&dlr-mask=1&dlr-url=nonsense`)).toBe('400 DLR-URL field misformed, rejected')
    for (const header of [narrow(0, 2), narrow(3, 2), narrow(0, 0), narrow(1, 0), wide(3, 2), 'udh=%04%00%02%01%02']) {
      for (const coding of [0, 1]) {
        expect(await answerTo(`text=x&coding=${coding}&${header}`)).toBe('400 UDH field misformed, rejected')
      }
    }
    expect(await answerTo(`coding=0&${narrow(1, 2)}`)).toBe('400 Empty text not allowed, rejected')
    expect(await answerTo(`text=${'x'.repeat(154)}&coding=0&${narrow(1, 2)}`)).toBe(
      '400 UDH field is too long, rejected',
    )
    expect(await answerTo(`text=%00a%D8&coding=2&${narrow(1, 2)}`)).toBe('400 Charset or body misformed, rejected')
    expect(await answerTo(`text=%00a%DE%00%00b&coding=2&${narrow(1, 2)}`)).toBe(
      '400 Charset or body misformed, rejected',
    )
    expect(await waiting()).toHaveLength(0)
    expect(await messages()).toEqual([])
  })

  test('of which one ends with half of a pair and no other has its end are refused with the last', async () => {
    expect(await sendsms(`text=%D8%3D&coding=2&${narrow(1, 2)}`)).toMatchObject(accepted)
    expect((await sendsms(`text=%00a&coding=2&${narrow(2, 2)}`)).status).toBe(400)
    expect(await sendsms(`text=%DE%00&coding=2&${narrow(2, 2)}`)).toMatchObject(accepted)
    expect((await messages()).map(({ content }) => content)).toEqual(['😀'])
  })

  test('a single part is a text, and codings may be mixed', async () => {
    expect(await sendsms(`text=alone&coding=0&${narrow(1, 1)}`)).toMatchObject(accepted)
    await sendsms(`text=mixed+&coding=0&${narrow(1, 2)}`)
    await sendsms(`text=${percent(utf16('₦'))}&coding=2&${narrow(2, 2)}`)
    expect((await messages()).map(({ content }) => content).toSorted()).toEqual(['alone', 'mixed ₦'])
  })

  test('8-bit parts, those of a class or for a port, and those to several receivers go octet by octet', async () => {
    const port = 'udh=%0B%05%04%15%82%00%00%00%03%2A%02%01'
    for (const query of [
      `text=x&coding=1&${narrow(1, 2)}`,
      `text=x&coding=0&mclass=1&${narrow(1, 2)}`,
      `text=%D8%3D&coding=2&mclass=1&${narrow(1, 2)}`,
      `text=x&coding=0&${port}`,
      `username=x&password=${by.key}&to=${TO}+2348051234567&text=x&coding=0&${narrow(1, 2)}`,
    ]) {
      const { id } = await sendsms(query)
      expect((await by.call<Message>('GET', `/sms/${id}`)).body.content).toMatch(/^[0-9a-f]{2} [0-9a-f]+ [0-9a-f]+$/)
    }
  })
})
