import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { clientOf, loginOf, type Login } from './twilio-setup.ts'

const TO = '+2348031234567'
const OTHER = '+2348051234567'
const FROM = '+2347000000001'

let service: TestService
let by: Organisation
let login: Login
let client: ReturnType<typeof clientOf>

beforeAll(async () => {
  service = await openService()
})
beforeEach(async () => {
  by = await service.organisation()
  login = await loginOf(service, by)
  client = clientOf(service, login.account_sid, login.auth_token)
})
afterAll(() => service.close())

const send = (body: string, wish: object = {}) => client.messages.create({ to: TO, from: FROM, body, ...wish })
const write = (text: string, from = TO, to = FROM) => by.call('POST', '/sandbox/reply', { from, to, text })
const bodies = (messages: readonly { body: string }[]) => messages.map(({ body }) => body)

async function codeOf(deed: () => Promise<unknown>): Promise<string> {
  try {
    await deed()
  } catch (fault) {
    const { status, code } = fault as { status?: number; code?: number }
    return `${status} ${code}`
  }
  return 'done'
}

describe('a list of messages', () => {
  test('has what was sent and what was received, newest first', async () => {
    await send('1 out')
    await write('2 in')
    await send('3 out', { to: OTHER })
    await write('4 in', OTHER)
    const listed = await client.messages.list()
    expect(bodies(listed)).toEqual(['4 in', '3 out', '2 in', '1 out'])
    expect(listed[2]).toMatchObject({ direction: 'inbound', status: 'received', from: TO, to: FROM, price: null })
    expect(listed[3]).toMatchObject({ direction: 'outbound-api', from: FROM, to: TO })
    expect((await client.messages(listed[2]?.sid ?? '').fetch()).body).toBe('2 in')
  })

  test('is filtered by From and To, in either direction', async () => {
    await send('1 out')
    await send('2 named', { from: 'Gangan' })
    await write('3 in')
    await send('4 out', { to: OTHER })
    await write('5 in', OTHER)
    expect(bodies(await client.messages.list({ from: FROM }))).toEqual(['4 out', '1 out'])
    expect(bodies(await client.messages.list({ from: 'Gangan' }))).toEqual(['2 named'])
    expect(bodies(await client.messages.list({ from: TO }))).toEqual(['3 in'])
    expect(bodies(await client.messages.list({ from: '08031234567' }))).toEqual(['3 in'])
    expect(bodies(await client.messages.list({ to: FROM }))).toEqual(['5 in', '3 in'])
    expect(bodies(await client.messages.list({ to: TO }))).toEqual(['2 named', '1 out'])
    expect(bodies(await client.messages.list({ to: TO, from: FROM }))).toEqual(['1 out'])
    expect(bodies(await client.messages.list({ to: FROM, from: OTHER }))).toEqual(['5 in'])
    expect(await client.messages.list({ from: 'Nobody' })).toEqual([])
    expect(await codeOf(() => client.messages.list({ to: 'x'.repeat(50) }))).toBe('400 21211')
    expect(await codeOf(() => client.messages.list({ from: 'a\u0000b' }))).toBe('400 21212')
  })

  test('is filtered by the day, and by moments before and after', async () => {
    await send('out')
    await write('in')
    const today = new Date()
    const yesterday = new Date(Date.now() - 86_400_000)
    const tomorrow = new Date(Date.now() + 86_400_000)
    expect(bodies(await client.messages.list({ dateSent: today }))).toEqual(['in', 'out'])
    expect(await client.messages.list({ dateSent: yesterday })).toEqual([])
    expect(await client.messages.list({ dateSent: tomorrow })).toEqual([])
    expect(bodies(await client.messages.list({ dateSentAfter: yesterday }))).toEqual(['in', 'out'])
    expect(await client.messages.list({ dateSentBefore: yesterday })).toEqual([])
    expect(bodies(await client.messages.list({ dateSentAfter: yesterday, dateSentBefore: tomorrow }))).toHaveLength(2)
    const path = `/2010-04-01/Accounts/${login.account_sid}/Messages.json?DateSent=`
    const days = [today.toISOString().slice(0, 10), yesterday.toISOString().slice(0, 10), 'someday']
    const counts = await Promise.all(
      days.map(async (day) => {
        const answer = await fetch(service.url + path + day, {
          headers: { authorization: `Basic ${btoa(`${login.account_sid}:${login.auth_token}`)}` },
        })
        const { messages } = (await answer.json()) as { messages?: unknown[] }
        return `${answer.status} ${messages?.length}`
      }),
    )
    expect(counts).toEqual(['200 2', '200 0', '400 undefined'])
  })

  test('is paged to the end and back, though more comes meanwhile', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await (n % 2 ? send(`${n}`) : write(`${n}`))
    const first = await client.messages.page({ pageSize: 3 })
    expect(bodies(first.instances)).toEqual(['7', '6', '5'])
    expect(first.previousPage()).toBe(undefined)
    await write('8')
    const second = await first.nextPage()
    expect(bodies(second?.instances ?? [])).toEqual(['4', '3', '2'])
    const third = await second?.nextPage()
    expect(bodies(third?.instances ?? [])).toEqual(['1'])
    expect(third?.nextPage()).toBe(undefined)
    const back = await third?.previousPage()
    expect(bodies(back?.instances ?? [])).toEqual(['4', '3', '2'])
    const front = await back?.previousPage()
    expect(bodies(front?.instances ?? [])).toEqual(['7', '6', '5'])
    const newest = await front?.previousPage()
    expect(bodies(newest?.instances ?? [])).toEqual(['8'])
    expect(newest?.previousPage()).toBe(undefined)
    expect(bodies((await newest?.nextPage())?.instances ?? [])).toEqual(['7', '6', '5'])
    const of_one = await client.messages.page({ pageSize: 2, to: FROM })
    expect(bodies(of_one.instances)).toEqual(['8', '6'])
    const rest = await of_one.nextPage()
    expect(bodies(rest?.instances ?? [])).toEqual(['4', '2'])
    expect(bodies((await rest?.previousPage())?.instances ?? [])).toEqual(['8', '6'])
  })

  test('is read whole by list and each, and as far as the limit', async () => {
    for (const n of [1, 2, 3, 4, 5]) await (n % 2 ? send(`${n}`) : write(`${n}`))
    expect(bodies(await client.messages.list({ pageSize: 2 }))).toEqual(['5', '4', '3', '2', '1'])
    expect(bodies(await client.messages.list({ limit: 3 }))).toEqual(['5', '4', '3'])
    expect(bodies(await client.messages.list({ limit: 3, pageSize: 2 }))).toEqual(['5', '4', '3'])
    const each: string[] = []
    await new Promise<void>((resolve, reject) => {
      client.messages.each({
        pageSize: 2,
        callback: ({ body }) => each.push(body),
        done: (fault?: Error) => (fault ? reject(fault) : resolve()),
      })
    })
    expect(each).toEqual(['5', '4', '3', '2', '1'])
    expect(await codeOf(() => client.messages.page({ pageToken: 'PAnonsense' }))).toBe('400 20001')
  })

  test('has nothing of another organisation', async () => {
    await send('mine')
    await write('mine, too')
    const stranger = await service.organisation()
    const other = await loginOf(service, stranger)
    expect(await clientOf(service, other.account_sid, other.auth_token).messages.list({ from: TO })).toEqual([])
  })
})

describe('beside messages', () => {
  test('a message has no media', async () => {
    const { sid } = await send('Hello')
    expect(await client.messages(sid).media.list()).toEqual([])
    expect(await codeOf(() => client.messages(`SM${'0'.repeat(32)}`).media.list())).toBe('404 20404')
  })

  test('the numbers people can write to are listed and fetched', async () => {
    for (const sender_id of ['23470000001', '32811', 'Shop']) {
      expect((await by.call('POST', '/senders', { sender_id })).status).toBe(200)
    }
    await service.db`update senders set state = 'approved' where organisation_id = ${by.id} and sender_id <> '32811'`
    const numbers = await client.incomingPhoneNumbers.list()
    expect(numbers.map(({ phoneNumber }) => phoneNumber)).toEqual(['+23470000001'])
    const [number] = numbers
    expect(number).toMatchObject({ accountSid: login.account_sid, capabilities: { sms: true, voice: false } })
    expect((await client.incomingPhoneNumbers(number?.sid ?? '').fetch()).phoneNumber).toBe('+23470000001')
    expect(await client.incomingPhoneNumbers.list({ phoneNumber: '+2348000000000' })).toEqual([])
    const other = await loginOf(service, await service.organisation())
    const stranger = clientOf(service, other.account_sid, other.auth_token)
    expect(await stranger.incomingPhoneNumbers.list()).toEqual([])
    expect(await codeOf(() => stranger.incomingPhoneNumbers(number?.sid ?? '').fetch())).toBe('404 20404')
  })
})
