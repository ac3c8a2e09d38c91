import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startApplication } from './twilio-setup.ts'

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

type Message = { recipients: string[]; sender_id: string; content: string; callback?: string }
type Sent = { status: number; text: string; id: string }

/** The query goes out as it is written, octet by octet. */
async function sendsms(query: string, init: RequestInit = {}): Promise<Sent> {
  const response = await fetch(`${service.url}/cgi-bin/sendsms?${query}`, init)
  return { status: response.status, text: await response.text(), id: response.headers.get('x-message-id') ?? '' }
}

const login = (owner = by) => `username=shop&password=${owner.key}`
const read = async ({ id }: Sent) => (await by.call<Message>('GET', `/sms/${id}`)).body
const balanceOf = async (owner = by) => (await owner.call<{ balance: number }>('GET', '/balance')).body.balance
const accepted = { status: 202, text: '0: Accepted for delivery' }

describe('sendsms', () => {
  test('sends to one, and to several with blanks between', async () => {
    const one = await sendsms(`${login()}&from=Shop&to=%2B2348031234567&text=Hello+world%21`)
    expect(one).toMatchObject(accepted)
    expect(await read(one)).toMatchObject({ recipients: ['2348031234567'], sender_id: 'Shop', content: 'Hello world!' })
    const before = await balanceOf()
    const two = await sendsms(`user=shop&pass=${by.key}&to=08031234567+08051234567&text=x`)
    expect(two).toMatchObject(accepted)
    expect(await read(two)).toMatchObject({ recipients: ['2348031234567', '2348051234567'], sender_id: 'Gangan' })
    expect(await balanceOf()).toBe(before - 8)
  })

  test('a form does, too', async () => {
    const body = new URLSearchParams({ username: 'shop', password: by.key, to: '08031234567', text: 'By form é' })
    const sent = await sendsms('', { method: 'POST', body })
    expect(sent).toMatchObject(accepted)
    expect((await read(sent)).content).toBe('By form é')
  })

  test('the same request with the same Idempotency-Key sends once', async () => {
    const before = await balanceOf()
    const ask = (text: string) =>
      sendsms('', {
        method: 'POST',
        headers: { 'idempotency-key': 'order-1' },
        body: new URLSearchParams({ username: 'shop', password: by.key, to: '08031234567', text }),
      })
    const sent = await ask('Once')
    const again = await ask('Once')
    expect(again).toMatchObject(accepted)
    expect(again.id).toBe(sent.id)
    expect(await balanceOf()).toBe(before - 4)
    expect(await ask('Something else')).toMatchObject({ status: 409 })
    expect(await balanceOf()).toBe(before - 4)
  })

  test('reads the text in the alphabet that is named', async () => {
    const contents = []
    for (const query of [
      'charset=ISO-8859-1&text=caf%E9',
      'charset=windows-1252&text=%80+5',
      'coding=2&text=%20%A6%00a',
      'coding=2&charset=UTF-8&text=%E2%82%A6a',
      'text=caf%C3%A9',
    ]) {
      const sent = await sendsms(`${login()}&to=08031234567&${query}`)
      expect(sent).toMatchObject(accepted)
      contents.push((await read(sent)).content)
    }
    expect(contents).toEqual(['café', '€ 5', '₦a', '₦a', 'café'])
  })

  test('a deferred message is scheduled and can be canceled', async () => {
    const sent = await sendsms(`${login()}&to=08031234567&text=later&deferred=60&validity=30&priority=0`)
    expect(sent).toMatchObject(accepted)
    expect((await by.call('DELETE', `/sms/${sent.id}`)).status).toBe(204)
  })

  test('errors have Kannel’s sentences, and change nothing', async () => {
    const before = await balanceOf()
    const answerTo = async (query: string) => {
      const { status, text } = await sendsms(query)
      return `${status} ${text}`
    }
    const to = 'to=08031234567&text=x'
    expect(await answerTo(`username=shop&password=wrong&${to}`)).toBe('403 Authorization failed for sendsms')
    expect(await answerTo(`username=shop&${to}`)).toBe('403 Authorization failed for sendsms')
    expect(await answerTo(to)).toBe('403 Authorization failed for sendsms')
    expect(await answerTo(`${login()}&text=x`)).toBe('400 Empty receiver number not allowed, rejected')
    expect(await answerTo(`${login()}&to=abc&text=x`)).toBe('400 Garbage in receiver field, rejected.')
    expect(await answerTo(`${login()}&to=08031234567+12&text=x`)).toBe('400 Garbage in receiver field, rejected.')
    expect(await answerTo(`${login()}&to=08031234567`)).toBe('400 Empty text not allowed, rejected')
    expect(await answerTo(`${login()}&${to}&dlr-mask=1&dlr-url=nonsense`)).toBe('400 DLR-URL field misformed, rejected')
    expect(await answerTo(`${login()}&${to}&dlr-mask=x`)).toBe('400 DLR-Mask field misformed, rejected')
    expect(await answerTo(`${login()}&${to}&validity=-1`)).toBe('400 Validity field misformed, rejected')
    expect(await answerTo(`${login()}&${to}&deferred=1e9`)).toBe('400 Deferred field misformed, rejected')
    expect(await answerTo(`${login()}&${to}&coding=3`)).toBe('400 Coding field misformed, rejected')
    expect(await answerTo(`${login()}&to=08031234567&coding=1`)).toBe('400 Empty text not allowed, rejected')
    expect(await answerTo(`${login()}&${to}&coding=1&mclass=4`)).toBe('400 MClass field misformed, rejected')
    const udh = 'udh=%05%00%03%01%02%01'
    expect(await answerTo(`${login()}&${to}&udh=%05%00%03%01%02`)).toBe('400 UDH field misformed, rejected')
    expect(await answerTo(`${login()}&${to}&udh=%05%00%09%01%02%01`)).toBe('400 UDH field misformed, rejected')
    expect(await answerTo(`${login()}&${to}&udh=%8C%70%8A${'x'.repeat(138)}`)).toBe(
      '400 UDH field is too long, rejected',
    )
    expect(await answerTo(`${login()}&to=08031234567&text=${'x'.repeat(135)}&${udh}`)).toBe(
      '400 UDH field is too long, rejected',
    )
    expect(await answerTo(`${login()}&to=08031234567&text=%E2%82%A6&coding=0&${udh}`)).toBe(
      '400 Charset or body misformed, rejected',
    )
    expect(await answerTo(`${login()}&to=08031234567&coding=1&text=${'x'.repeat(1_400)}`)).toMatch(/^400 .*rejected$/)
    expect(await answerTo(`${login()}&to=08031234567&text=%FF`)).toBe('400 Charset or body misformed, rejected')
    expect(await answerTo(`${login()}&${to}&charset=klingon`)).toBe('400 Charset or body misformed, rejected')
    expect(await answerTo(`${login()}&to=08031234567&text=a%00b`)).toMatch(/^400 .*rejected$/)
    expect(await balanceOf()).toBe(before)
    expect((await by.call<{ messages: object[] }>('GET', '/sms')).body.messages).toEqual([])
    const bare = await service.organisation({ sender: null })
    expect(await answerTo(`${login(bare)}&${to}`)).toBe('400 Sender missing and no global set, rejected')
    const poor = await service.organisation({ credit: 1 })
    expect(await answerTo(`${login(poor)}&${to}`)).toMatch(/^402 .*rejected$/)
    expect(await balanceOf(poor)).toBe(1)
  })

  test('opens with the scope sms alone, for its own organisation, until the key ends', async () => {
    const narrow = await service.organisation({ scopes: ['otp'] })
    expect((await sendsms(`${login(narrow)}&to=08031234567&text=x`)).status).toBe(403)
    const stranger = await service.organisation()
    const theirs = await sendsms(`${login(stranger)}&to=08031234567&text=theirs`)
    expect((await by.call('GET', `/sms/${theirs.id}`)).status).toBe(404)
    expect((await stranger.call('GET', `/sms/${theirs.id}`)).status).toBe(200)
    await service.db`update api_keys set revoked_datetime = now() where organisation_id = ${stranger.id}`
    const status = () => sendsms(`${login(stranger)}&to=08031234567&text=x`).then((sent) => sent.status)
    await expect.poll(status).toBe(403)
  })

  test('what is too large, or no form, is refused', async () => {
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await sendsms(login(), { ...form, body: `text=${'x'.repeat(300_000)}` })).status).toBe(413)
    const xml = { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<message/>' }
    expect((await sendsms(login(), xml)).status).toBe(415)
  })
})

describe('a report', () => {
  const url = (query: string) => encodeURIComponent(`${application.url}/dlr?${query}`)

  test('is a GET with the codes filled in', async () => {
    const dlr = url('id=7&d=%d&from=%p&to=%P&plus=%Q&msg=%I&user=%n&reply=%A&ts=%T&x=%z&pc=100%%')
    const sent = await sendsms(`${login()}&from=Shop+A&to=08031234567&text=x&dlr-mask=31&dlr-url=${dlr}`)
    expect(sent).toMatchObject(accepted)
    const [got] = await application.wait(1)
    const query = new URL(got?.url ?? '').searchParams
    expect(got).toMatchObject({ method: 'GET', body: '' })
    expect(Object.fromEntries(query)).toMatchObject({
      id: '7',
      d: '1',
      from: 'Shop A',
      to: '2348031234567',
      plus: '+2348031234567',
      msg: sent.id,
      user: 'shop',
      reply: expect.stringMatching(/^000\//),
      x: '%z',
      pc: '100%',
    })
    expect(Number(query.get('ts'))).toBeGreaterThan(1_700_000_000)
    expect((await read(sent)).callback).toBe(decodeURIComponent(dlr))
  })

  test('comes for what the mask names, and for nothing else', async () => {
    const send = (to: string, mask: number) =>
      sendsms(`${login()}&to=${to}&text=x&dlr-mask=${mask}&dlr-url=${url(`to=%P&d=%d&mask=${mask}`)}`)
    const unwanted = await send('2348031234567', 2)
    await send('2348000000001', 2)
    await send('2348000000003', 16)
    await send('2348000000001', 1)
    await send('2348000000003', 3)
    await application.wait(2)
    await until('all have ended', async () => {
      const { body } = await by.call<{ deliveries: { status: string }[] }>('GET', `/sms/${unwanted.id}`)
      return body.deliveries[0]?.status === 'delivered' ? true : undefined
    })
    const last = await send('2348051234567', 1)
    await application.wait(3)
    const reported = application.posted.map(({ url: path }) => new URL(path).search).sort()
    expect(reported).toEqual([
      '?to=2348000000001&d=2&mask=2',
      '?to=2348000000003&d=16&mask=16',
      '?to=2348051234567&d=1&mask=1',
    ])
    expect(last.status).toBe(202)
  })

  test('is not asked for without a mask', async () => {
    const sent = await sendsms(`${login()}&to=08031234567&text=x&dlr-url=${url('d=%d')}`)
    expect((await read(sent)).callback).toBeUndefined()
  })
})
