import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { decodePdu } from '../../src/carriers/codec/decode-pdu.ts'
import { encodePdu } from '../../src/carriers/codec/encode-pdu.ts'
import { makeFramer } from '../../src/carriers/codec/framer.ts'
import { makePdu, TAG, type Pdu } from '../../src/carriers/codec/pdu.ts'
import type { SubmitAnswer } from '../../src/carriers/smpp/session/session.ts'
import { SubmitFault } from '../../src/carriers/smpp/session/session.ts'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import type { SmscOptions } from '../../src/emulators/smsc/settings.ts'
import { STATUS } from '../../src/carriers/codec/status.ts'
import { startTestSession } from '../support/smpp.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { until } from '../support/until.ts'

type PduFields = Parameters<typeof startTestSession>[1]
type Deps = Parameters<typeof startTestSession>[2]

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function ourSmsc(wish: SmscOptions = {}) {
  const smsc = await startSmsc(wish)
  closing.push(() => smsc.stop())
  return smsc
}

function session(port: number, wish: PduFields = {}, deps: Deps = {}) {
  const started = startTestSession(port, { stop_wait_ms: 200, ...wish }, deps)
  closing.push(() => started.stop())
  return started
}

async function boundSession(port: number, wish: PduFields = {}, deps: Deps = {}) {
  const started = session(port, wish, deps)
  await started.bound()
  return started
}

/** An SMSC scripted by a test, PDU by PDU or octet by octet. */
async function scriptedSmsc(onPdu: (pdu: Pdu, send: (answer: Pdu) => void, socket: Socket) => void) {
  const sockets: Socket[] = []
  const seen: Pdu[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    const send = (pdu: Pdu) => void socket.write(encodePdu(pdu))
    const framer = makeFramer((frame) => {
      const pdu = decodePdu(Buffer.from(frame)) as Pdu
      seen.push(pdu)
      const { sequence_number } = pdu
      if (pdu.command === 'bind_transceiver') send(makePdu('bind_transceiver_resp', { sequence_number }))
      else if (pdu.command === 'enquire_link') send(makePdu('enquire_link_resp', { sequence_number }))
      else if (pdu.command === 'unbind') send(makePdu('unbind_resp', { sequence_number }))
      else onPdu(pdu, send, socket)
    })
    socket.on('data', (chunk) => framer.push(chunk))
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, sockets, seen }
}

const fateOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (fault: unknown) => (fault instanceof SubmitFault ? fault.fate : fault),
  )

const answerTo = ({ sequence_number }: Pdu, command_status: number = STATUS.ROK) =>
  makePdu('submit_sm_resp', { sequence_number, command_status, message_id: command_status === 0 ? 'm1' : '' })

describe('outcome of a submit', () => {
  test('is not_sent while the bind is down', async () => {
    const gone = await startSmsc()
    await gone.stop()
    const down = session(gone.port)
    expect(await fateOf(down.submit({ destination_addr: '234' }))).toBe('not_sent')
  })

  test('is not_sent if it cannot be encoded', async () => {
    const smsc = await ourSmsc()
    const bound = await boundSession(smsc.port)
    expect(await fateOf(bound.submit({ destination_addr: '1'.repeat(30) }))).toBe('not_sent')
    expect(await bound.submit({ destination_addr: '234' })).toMatchObject({ command_status: 0 })
    expect(smsc.counts.submits).toBe(1)
    expect(bound.load().inflight).toBe(0)
  })

  test('after a cut is unanswered if it was sent, not_sent if it waited for the window', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    const bound = await boundSession(smsc.port, { window: 2 })
    const fates = [1, 2, 3, 4].map((n) => fateOf(bound.submit({ destination_addr: `${n}` })))
    await until('two submits', () => smsc.seen.filter(({ command }) => command === 'submit_sm').length === 2)
    expect(bound.load()).toMatchObject({ inflight: 2, waiting: 2 })
    smsc.sockets[0]!.destroy()
    expect(await Promise.all(fates)).toEqual(['unanswered', 'unanswered', 'not_sent', 'not_sent'])
    await bound.bound()
  })

  test('is not_sent once the connection is closing', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    let fate: Promise<unknown> | undefined
    const bound = await boundSession(
      smsc.port,
      {},
      {
        onPdu: (direction, { command }) => {
          if (direction === 'out' && command === 'unbind_resp') {
            setImmediate(() => void (fate = fateOf(bound.submit({ destination_addr: '234' }))))
          }
        },
      },
    )
    smsc.sockets[0]!.write(encodePdu(makePdu('unbind', { sequence_number: 3 })))
    expect(await until('its fate', () => fate)).toBe('not_sent')
    expect(smsc.seen.some(({ command }) => command === 'submit_sm')).toBe(false)
  })

  test('is unanswered after the timeout, and a late answer is reported', async () => {
    let answer = () => undefined as void
    const smsc = await scriptedSmsc((pdu, send) => (answer = () => send(answerTo(pdu))))
    const late: [string, SubmitAnswer][] = []
    const onLateAnswer = (sm: { destination_addr: string }, late_answer: SubmitAnswer) =>
      void late.push([sm.destination_addr, late_answer])
    const bound = await boundSession(smsc.port, { response_timeout_ms: 100 }, { onLateAnswer })
    expect(await fateOf(bound.submit({ destination_addr: '234' }))).toBe('unanswered')
    answer()
    await until('the late answer', () => late.length === 1)
    expect(late).toEqual([['234', { command_status: 0, message_id: 'm1' }]])
    expect(bound.state().name).toBe('bound')
  })

  test('is the status of the answer, also of a generic_nack', async () => {
    const statuses = [STATUS.RSYSERR, STATUS.RMSGQFUL, 0x40b]
    const smsc = await scriptedSmsc((pdu, send) => {
      const status = statuses.shift()
      const { sequence_number } = pdu
      if (status !== undefined) send(answerTo(pdu, status))
      else send(makePdu('generic_nack', { sequence_number, command_status: STATUS.RINVCMDLEN }))
    })
    const bound = await boundSession(smsc.port)
    const submit = async () => (await bound.submit({ destination_addr: '234' })).command_status
    expect([await submit(), await submit(), await submit(), await submit()]).toEqual([0x08, 0x14, 0x40b, 0x02])
  })

  test('at most a window of submits is in flight', async () => {
    let most = 0
    const open = new Set<number>()
    const smsc = await scriptedSmsc((pdu, send) => {
      open.add(pdu.sequence_number)
      most = Math.max(most, open.size)
      setImmediate(() => {
        open.delete(pdu.sequence_number)
        send(answerTo(pdu))
      })
    })
    const bound = await boundSession(smsc.port, { window: 7 })
    await Promise.all(Array.from({ length: 200 }, () => bound.submit({ destination_addr: '234' })))
    expect(most).toBe(7)
  })

  test('a throttled submit is resent more slowly, in its original order', async () => {
    const order: string[] = []
    let throttle = 3
    const smsc = await scriptedSmsc((pdu, send) => {
      if (pdu.command !== 'submit_sm') return
      if (throttle-- > 0) return send(answerTo(pdu, STATUS.RTHROTTLED))
      order.push(pdu.destination_addr)
      send(answerTo(pdu))
    })
    const bound = await boundSession(smsc.port, { window: 3 })
    const answers = await Promise.all(
      ['1', '2', '3', '4'].map((destination_addr) => bound.submit({ destination_addr })),
    )
    expect(answers.map(({ command_status }) => command_status)).toEqual([0, 0, 0, 0])
    expect(order).toEqual(['1', '2', '3', '4'])
    expect(bound.load().rate).not.toBeNull()
  })

  test('is RTHROTTLED if it was throttled until its timeout', async () => {
    const smsc = await scriptedSmsc((pdu, send) => send(answerTo(pdu, STATUS.RTHROTTLED)))
    const bound = await boundSession(smsc.port, { response_timeout_ms: 500 })
    expect(await bound.submit({ destination_addr: '234' })).toEqual({
      command_status: STATUS.RTHROTTLED,
      message_id: null,
    })
  })

  test('submits keep to the contract rate', async () => {
    const smsc = await ourSmsc({ throughput: 60 })
    const bound = await boundSession(smsc.port, { rate: 50, window: 100 })
    const started = performance.now()
    await Promise.all(Array.from({ length: 60 }, () => bound.submit({ destination_addr: '234' })))
    expect(performance.now() - started).toBeGreaterThan(1_000)
    expect(smsc.counts.throttled).toBe(0)
  })

  test('is not_sent if the SMSC no longer knows the bind, and the session rebinds', async () => {
    let forgets = true
    const smsc = await scriptedSmsc((pdu, send) => send(answerTo(pdu, forgets ? STATUS.RINVBNDSTS : 0)))
    const bound = await boundSession(smsc.port)
    expect(await fateOf(bound.submit({ destination_addr: '234' }))).toBe('not_sent')
    forgets = false
    await until('a second bind', () => smsc.sockets.length === 2 && bound.state().name === 'bound')
    expect(await bound.submit({ destination_addr: '234' })).toMatchObject({ command_status: 0 })
  })
})

describe('optional parameters', () => {
  const reference = { tag: TAG.user_message_reference, value: Buffer.from([0, 1]) }
  const payload = { tag: TAG.message_payload, value: Buffer.from('text') }

  test('are not sent to an SMSC of 3.3, except those that carry the text', async () => {
    const smsc = await scriptedSmsc((pdu, send) => send(answerTo(pdu)))
    const bound = await boundSession(smsc.port)
    expect(bound.state().peer_version).toBeNull()
    await bound.submit({ destination_addr: '234', tlvs: [reference] })
    expect(smsc.seen.at(-1)).toMatchObject({ command: 'submit_sm', tlvs: [] })
    await bound.submit({ destination_addr: '234', tlvs: [payload, reference] })
    expect(smsc.seen.at(-1)).toMatchObject({ command: 'submit_sm', tlvs: [payload] })
  })

  test('are sent to an SMSC of 3.4, or if configured to be sent always', async () => {
    const ours = await ourSmsc()
    const bound = await boundSession(ours.port)
    expect(bound.state().peer_version).toBe(0x34)
    await bound.submit({ destination_addr: '234', tlvs: [payload] })
    expect(ours.handsets.shown).toMatchObject([{ text: 'text' }])
    const smsc = await scriptedSmsc((pdu, send) => send(answerTo(pdu)))
    await (await boundSession(smsc.port, { tlvs: 'always' })).submit({ destination_addr: '234', tlvs: [reference] })
    expect(smsc.seen.at(-1)).toMatchObject({ tlvs: [reference] })
  })
})

describe('a delivery from the SMSC', () => {
  const deliver = (sequence_number: number) => encodePdu(makePdu('deliver_sm', { sequence_number, source_addr: '234' }))
  const answers = (seen: Pdu[]) =>
    seen.filter(({ command }) => command === 'deliver_sm_resp').map((pdu) => [pdu.sequence_number, pdu.command_status])

  test('is acknowledged once it is stored, and not before', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    let store = (_status: number) => undefined as void
    const onDeliver = () => new Promise<number>((resolve) => (store = resolve))
    await boundSession(smsc.port, {}, { onDeliver })
    smsc.sockets[0]!.write(Buffer.concat([deliver(7), encodePdu(makePdu('enquire_link', { sequence_number: 8 }))]))
    await until('the answer to enquire_link', () => smsc.seen.some(({ command }) => command === 'enquire_link_resp'))
    expect(answers(smsc.seen)).toEqual([])
    store(STATUS.ROK)
    await until('the acknowledgement', () => answers(smsc.seen).length === 1)
    expect(answers(smsc.seen)).toEqual([[7, 0]])
  })

  test('is answered with RX_T_APPN if it could not be stored', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    const onDeliver = async () => {
      throw new Error('the database is away')
    }
    const bound = await boundSession(smsc.port, {}, { onDeliver })
    smsc.sockets[0]!.write(deliver(7))
    await until('the answer', () => answers(smsc.seen).length === 1)
    expect(answers(smsc.seen)).toEqual([[7, STATUS.RX_T_APPN]])
    expect(bound.logged).toContainEqual(expect.objectContaining({ level: 'error' }))
  })

  test('is answered with RMSGQFUL beyond the limit of concurrent deliveries', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    await boundSession(smsc.port, {}, { onDeliver: () => new Promise(() => undefined) })
    smsc.sockets[0]!.write(Buffer.concat(Array.from({ length: 1_001 }, (_, n) => deliver(n + 1))))
    await until('the refusal', () => answers(smsc.seen).length === 1)
    expect(answers(smsc.seen)).toEqual([[1_001, STATUS.RMSGQFUL]])
  })
})

describe('a malformed or unexpected PDU', () => {
  const enquire = encodePdu(makePdu('enquire_link', { sequence_number: 99 }))
  const raw = (head: string, body = '') => {
    const bytes = Buffer.from(`00000000${head}${body}`.replaceAll(' ', ''), 'hex')
    bytes.writeUInt32BE(bytes.length, 0)
    return bytes
  }

  test.each([
    [
      'an unknown command',
      raw('00000077 00000000 00000005'),
      { command: 'generic_nack', command_status: STATUS.RINVCMDID },
    ],
    [
      'a truncated body',
      raw('00000005 00000000 00000005', '00'),
      { command: 'deliver_sm_resp', command_status: STATUS.RINVCMDLEN },
    ],
    [
      'a request for an SMSC',
      encodePdu(makePdu('submit_sm', { sequence_number: 5 })),
      { command: 'generic_nack', command_status: STATUS.RINVCMDID },
    ],
  ])('is answered, and the session stays bound: %s', async (_name, octets, answer) => {
    const smsc = await scriptedSmsc(() => undefined)
    const bound = await boundSession(smsc.port)
    smsc.sockets[0]!.write(Buffer.concat([octets, enquire]))
    await until('the answer to enquire_link', () => smsc.seen.at(-1)?.command === 'enquire_link_resp')
    expect(smsc.seen.at(-2)).toMatchObject({ ...answer, sequence_number: 5 })
    expect(bound.state().name).toBe('bound')
  })

  test.each([
    ['an unexpected answer', encodePdu(makePdu('submit_sm_resp', { sequence_number: 12_345 }))],
    ['an unknown answer', raw('80000077 00000000 00000005')],
    ['outbind', encodePdu(makePdu('outbind', { system_id: 'x' }))],
    ['alert_notification', encodePdu(makePdu('alert_notification', { source_addr: '234' }))],
  ])('that needs no answer is ignored: %s', async (_name, octets) => {
    const smsc = await scriptedSmsc(() => undefined)
    await boundSession(smsc.port)
    const before = smsc.seen.length
    smsc.sockets[0]!.write(Buffer.concat([octets, enquire]))
    await until('the answer to enquire_link', () => smsc.seen.at(-1)?.command === 'enquire_link_resp')
    expect(smsc.seen.length).toBe(before + 1)
  })

  test('with an impossible length causes a reconnect', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    const bound = await boundSession(smsc.port)
    smsc.sockets[0]!.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    await until('a second bind', () => smsc.sockets.length === 2 && bound.state().name === 'bound')
    expect(bound.states.find(({ name }) => name === 'waiting')?.reason).toMatch(/impossible length/)
  })

  test('that is never completed causes a reconnect, even if bytes keep dripping', async () => {
    const smsc = await scriptedSmsc(() => undefined)
    const bound = await boundSession(smsc.port, { partial_pdu_timeout_ms: 150 })
    smsc.sockets[0]!.write(Buffer.from('000010', 'hex'))
    const drip = setInterval(() => smsc.sockets[0]!.write(Buffer.from([0])), 20)
    await until('a second bind', () => smsc.sockets.length === 2 && bound.state().name === 'bound')
    clearInterval(drip)
    expect(bound.states.find(({ name }) => name === 'waiting')?.reason).toMatch(/was not completed in time/)
  })
})

describe('reconnecting', () => {
  test('reconnects after a cut, and after the SMSC unbinds', async () => {
    const smsc = await ourSmsc()
    const bound = await boundSession(smsc.port)
    smsc.cut()
    await until('the second bind', () => smsc.counts.binds === 2 && bound.state().name === 'bound')
    const scripted = await scriptedSmsc(() => undefined)
    const other = await boundSession(scripted.port)
    scripted.sockets[0]!.write(encodePdu(makePdu('unbind', { sequence_number: 3 })))
    await until('the second connection', () => scripted.sockets.length === 2 && other.state().name === 'bound')
    expect(scripted.seen).toContainEqual(expect.objectContaining({ command: 'unbind_resp', sequence_number: 3 }))
  })

  test('closes the connection to an SMSC that does not answer enquire_link', async () => {
    const sockets: Socket[] = []
    const mute = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(encodePdu(makePdu('bind_transceiver_resp', { sequence_number: 1 }))))
    }).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    closing.push(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => mute.close(resolve))
    })
    const { port } = mute.address() as AddressInfo
    const bound = session(port, { enquire_interval_ms: 50, response_timeout_ms: 50 })
    const state = await until('the end', () => bound.states.find(({ fault }) => fault === 'cut'))
    expect(state.reason).toMatch(/enquire_link/)
  })

  test('a successful bind resets the backoff', async () => {
    let refusals = 5
    const sockets: Socket[] = []
    const moody = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => {
        const command_status = refusals-- > 0 ? STATUS.RSYSERR : 0
        socket.write(encodePdu(makePdu('bind_transceiver_resp', { sequence_number: 1, command_status })))
      })
    }).listen(0, '127.0.0.1')
    await once(moody, 'listening')
    closing.push(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => moody.close(resolve))
    })
    const backoff = { first_ms: 10, longest_ms: 60_000, credentials_ms: 60_000 }
    const bound = await boundSession((moody.address() as AddressInfo).port, { backoff })
    const pauses = () => bound.states.flatMap(({ retry_in_ms }) => retry_in_ms ?? [])
    expect(pauses()).toHaveLength(5)
    expect(pauses()[4]).toBeGreaterThan(100)
    sockets.at(-1)!.destroy()
    await until('the pause after the cut', () => pauses().length === 6)
    expect(pauses()[5]).toBeLessThanOrEqual(12)
  })

  test('a bind without an answer is retried', async () => {
    const mute = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    closing.push(() => new Promise((resolve) => mute.close(resolve)))
    const waiting = session((mute.address() as AddressInfo).port, { bind_timeout_ms: 50 })
    await until('a second attempt', () => waiting.states.filter(({ name }) => name === 'binding').length > 1)
    expect(waiting.states.find(({ name }) => name === 'waiting')).toMatchObject({ fault: 'unreachable' })
  })

  test.each<[string, SmscOptions, number, string]>([
    ['credentials', { accounts: [] }, 60_000, 'error'],
    ['already_bound', { max_binds: 0 }, 30_000, 'warn'],
  ])('a refusal for %s has a long backoff', async (fault, wish, at_least_ms, level) => {
    const smsc = await ourSmsc(wish)
    const refused = session(smsc.port)
    const state = await until('the refusal', () => refused.states.find(({ name }) => name === 'waiting'))
    expect(state.fault).toBe(fault)
    expect(state.retry_in_ms).toBeGreaterThanOrEqual(at_least_ms)
    expect(refused.logged).toContainEqual(expect.objectContaining({ level }))
    expect(JSON.stringify(refused.logged)).not.toContain('secret')
  })

  test('a pair of transmitter and receiver acts as one session', async () => {
    const smsc = await ourSmsc()
    const pair = await boundSession(smsc.port, { mode: 'pair' })
    expect(smsc.counts.binds).toBe(2)
    await pair.submit({ destination_addr: '234', registered_delivery: 1 })
    await until('the report', () => pair.delivered.length === 1)
    await pair.stop()
    expect(smsc.counts.unbinds).toBe(2)
    expect(pair.state().name).toBe('stopped')
  })

  test('a receiver cannot send', async () => {
    const smsc = await ourSmsc()
    const receiver = await boundSession(smsc.port, { mode: 'receiver' })
    expect(await fateOf(receiver.submit({ destination_addr: '234' }))).toBe('not_sent')
  })
})

describe('stopping', () => {
  test('waits for open answers, and for deliveries being stored', async () => {
    const smsc = await ourSmsc({ latency_ms: [200, 200] })
    const bound = await boundSession(smsc.port, { stop_wait_ms: 5_000 })
    const submits = [1, 2, 3].map((n) => bound.submit({ destination_addr: `${n}` }))
    await until('the submits', () => smsc.counts.submits === 3)
    await bound.stop()
    expect((await Promise.all(submits)).map(({ command_status }) => command_status)).toEqual([0, 0, 0])
    expect(smsc.counts.unbinds).toBe(1)
    expect(await fateOf(bound.submit({ destination_addr: '234' }))).toBe('not_sent')
  })

  test('waits no longer than its limit', async () => {
    const smsc = await ourSmsc({ silent_share: 1 })
    const bound = await boundSession(smsc.port, { stop_wait_ms: 100 })
    const fate = fateOf(bound.submit({ destination_addr: '234' }))
    await until('the submit', () => smsc.counts.silent === 1)
    await bound.stop()
    expect(await fate).toBe('unanswered')
  })

  test('works while waiting, connecting or refused, and twice', async () => {
    const gone = await startSmsc()
    await gone.stop()
    const waiting = session(gone.port, {
      backoff: { first_ms: 60_000, longest_ms: 60_000, credentials_ms: 1 },
    })
    await until('the wait', () => waiting.state().name === 'waiting')
    await Promise.all([waiting.stop(), waiting.stop()])
    const fresh = session(gone.port)
    await fresh.stop()
    expect([waiting.state().name, fresh.state().name]).toEqual(['stopped', 'stopped'])
  })
})

describe('TLS', () => {
  const tls = { cert: CERTIFICATE, key: PRIVATE_KEY }
  const trust = { ca: CERTIFICATE, cert: null, key: null, servername: 'smsc.test', insecure: false }

  test('binds to an SMSC whose certificate we trust', async () => {
    const smsc = await ourSmsc({ tls })
    const bound = await boundSession(smsc.port, { tls: trust })
    expect(await bound.submit({ destination_addr: '234' })).toMatchObject({ command_status: 0 })
    expect(bound.state().certificate_expires).toBe('2126-10-22T05:11:22.000Z')
  })

  test.each([
    ['is not trusted', { ca: null }],
    ['is for another name', { servername: 'other.test' }],
  ])('refuses a certificate that %s', async (_name, wish) => {
    const smsc = await ourSmsc({ tls })
    const refused = session(smsc.port, { tls: { ...trust, ...wish } })
    const state = await until('the refusal', () => refused.states.find(({ name }) => name === 'waiting'))
    expect(state).toMatchObject({
      fault: 'unreachable',
      reason: expect.stringMatching(/certificate|altnames/i) as string,
    })
    expect(smsc.counts.binds).toBe(0)
  })

  test('accepts any certificate only if insecure is set', async () => {
    const smsc = await ourSmsc({ tls })
    await boundSession(smsc.port, { tls: { ...trust, ca: null, servername: null, insecure: true } })
    expect(smsc.counts.binds).toBe(1)
  })

  test('presents a client certificate if the SMSC requests one', async () => {
    const smsc = await ourSmsc({ tls: { ...tls, ca: CERTIFICATE } })
    await boundSession(smsc.port, { tls: { ...trust, cert: CERTIFICATE, key: PRIVATE_KEY } })
    const without = session(smsc.port, { tls: trust })
    await until('the refusal', () => without.states.find(({ name }) => name === 'waiting'))
    expect(smsc.counts.binds).toBe(1)
  })
})

test('PDU summaries for operators contain no text, no password and no full number', async () => {
  const smsc = await ourSmsc()
  const bound = await boundSession(smsc.port)
  const short_message = Buffer.from('Your code is 482913')
  await bound.submit({ source_addr: 'BANK', destination_addr: '2348031234567', short_message })
  expect(bound.pdus).toContainEqual(
    expect.objectContaining({ direction: 'out', command: 'submit_sm', from: 'BANK', to: '23480***567', length: 19 }),
  )
  expect(JSON.stringify(bound.pdus)).not.toMatch(/secret|482913|2348031234567/)
})
