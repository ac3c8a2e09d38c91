import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodePdu } from '../../src/carriers/codec/decode-pdu.ts'
import { encodePdu } from '../../src/carriers/codec/encode-pdu.ts'
import { makeFramer } from '../../src/carriers/codec/framer.ts'
import { makePdu } from '../../src/carriers/codec/pdu.ts'
import { breakBody, breakStream, makeDice } from '../support/break-pdus.ts'
import { anyPdu } from '../support/pdus.ts'
import { openService, type TestService } from '../support/service.ts'
import { bind, makeAccount, type Login } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'
import { count, note, WHOLE } from './scale.ts'

const PDUS = WHOLE ? 1_000_000 : 4_000
const LOST_STREAMS = WHOLE ? 2_000 : 20
/** In flight at a time. */
const TOGETHER = 100
const MOST_GROWTH_MB = 64

let service: TestService
let login: Login

beforeAll(async () => {
  const limits = { rate_per_s: 10_000, rate_per_s_per_organisation: 100_000, window_size: 1_000 }
  service = await openService({ settings: { smpp_server: { port: 0, limits } }, credit: 1_000 })
  login = await makeAccount(service, { rate_per_s: 10_000, window_size: 1_000 })
})
afterAll(() => service.close())

/** `answered` resolves when the enquire_link of that number is. */
async function rawBind(): Promise<{ socket: Socket; answered: (sequence_number: number) => Promise<void> }> {
  const socket = connect(service.smpp_port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const waiting = new Map<number, () => void>()
  let is_bound = false
  const framer = makeFramer((frame) => {
    const pdu = decodePdu(frame)
    if ('fault' in pdu) return
    if (pdu.command === 'bind_transmitter_resp') is_bound = pdu.command_status === 0
    if (pdu.command === 'enquire_link_resp') waiting.get(pdu.sequence_number)?.()
  })
  socket.on('data', (chunk: Buffer) => framer.push(chunk))
  socket.write(encodePdu(makePdu('bind_transmitter', { sequence_number: 1, ...login })))
  await until('the bind', () => is_bound)
  const answered = (sequence_number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`enquire_link ${sequence_number} stayed unanswered`)), 60_000)
      waiting.set(sequence_number, () => {
        waiting.delete(sequence_number)
        clearTimeout(timer)
        resolve()
      })
    })
  return { socket, answered }
}

test('broken PDUs end no bind, broken streams end only their own, and no resources are left', async () => {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  const pdus = fc.sample(anyPdu(), { numRuns: 300, seed: 36 }).map(encodePdu)
  const chance = makeDice(36)
  const { socket, answered } = await rawBind()
  let heap_mb = 0
  for (let n = 1; n <= PDUS; n += 1) {
    socket.write(breakBody(pdus[n % pdus.length] ?? Buffer.alloc(16), chance))
    if (n % TOGETHER > 0) continue
    socket.write(encodePdu(makePdu('enquire_link', { sequence_number: n })))
    await answered(n)
    if (n === PDUS / 2) {
      collect()
      heap_mb = process.memoryUsage().heapUsed / 2 ** 20
    }
  }
  collect()
  const growth_mb = process.memoryUsage().heapUsed / 2 ** 20 - heap_mb
  expect(growth_mb).toBeLessThan(MOST_GROWTH_MB)

  const steady = await bind(service.smpp_port, login)
  for (let n = 0; n < LOST_STREAMS; n += 1) {
    const lost = connect(service.smpp_port, '127.0.0.1')
    lost.on('error', () => {})
    lost.write(breakStream(pdus[n % pdus.length] ?? Buffer.alloc(16), chance))
    lost.end()
    await once(lost.resume(), 'close')
  }
  const to = { destination_addr: '2348031234567', short_message: 'Still here' }
  expect([0, 0x400]).toContain((await steady.submit(to)).command_status)
  steady.close()
  socket.destroy()
  await until('no bind to be left', async () => {
    const { body } = await service.call<{ accounts: { binds: number }[] }>('GET', '/smpp/accounts')
    return body.accounts.every(({ binds }) => binds === 0)
  })
  expect(service.log_lines.filter(({ level }) => level === 'error')).toEqual([])
  note({
    promise: 'robust SMPP server: broken PDUs end no bind and leave nothing behind',
    figure: `${count(PDUS)} PDUs and ${count(LOST_STREAMS)} broken streams; the heap grew by ${growth_mb.toFixed(1)} MB in the second half`,
    goal: 'a million PDUs',
    met: PDUS >= 1_000_000,
  })
}, 1_200_000)
