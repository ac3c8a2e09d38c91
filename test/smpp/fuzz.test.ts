import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodePdu } from '../../src/carriers/codec/decode-pdu.ts'
import { decodeText } from '../../src/carriers/codec/decode-text.ts'
import { encodePdu, UnsendablePdu } from '../../src/carriers/codec/encode-pdu.ts'
import { makeFramer } from '../../src/carriers/codec/framer.ts'
import { makePdu, type Pdu } from '../../src/carriers/codec/pdu.ts'
import { readReceipt } from '../../src/carriers/codec/receipt.ts'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import { summarise } from '../../src/carriers/codec/summary.ts'
import { breakBody, breakStream, makeDice, writeChopped, type Dice } from '../support/break-pdus.ts'
import { anyPdu } from '../support/pdus.ts'
import { startTestSession } from '../support/smpp.ts'
import { until } from '../support/until.ts'
import { WHOLE } from '../faults/scale.ts'

/**
 * A quarter of a million streams, a million with `npm run fuzz`. fast-check thinks up the PDUs and a seed; from these come the cases by the hundred, because it takes
 * longer to think one up than to read it. A failure names PDUs, seed and case, and can be repeated.
 */
const RUNS = WHOLE ? 1_000 : 250
const CASES_PER_RUN = 1_000
const LIVE_CASES = 2_000
const LOST_CASES = 25

test('every broken stream decodes to PDUs or a named fault', { timeout: 300_000 }, () => {
  const seen = { cases: 0, pdus: 0, lost: 0, faults: new Map<string, number>() }
  fc.assert(
    fc.property(fc.array(anyPdu(), { minLength: 1, maxLength: 3 }), fc.nat(), (pdus, seed) => {
      const stream = Buffer.concat(pdus.map(encodePdu))
      const chance = makeDice(seed)
      for (let n = 0; n < CASES_PER_RUN; n++) readBroken(breakStream(stream, chance), chance, seen)
    }),
    { numRuns: RUNS },
  )
  expect(seen.cases).toBe(RUNS * CASES_PER_RUN)
  // Every kind of fault was covered.
  expect([...seen.faults.keys()].sort()).toEqual(['bad_dest_flag', 'bad_tlv', 'short_body', 'unknown_command'])
  expect(Math.min(seen.pdus, seen.lost, ...seen.faults.values())).toBeGreaterThan(100)
})

type Seen = { cases: number; pdus: number; lost: number; faults: Map<string, number> }

function readBroken(stream: Buffer, chance: Dice, seen: Seen): void {
  seen.cases++
  let read = 0
  const framer = makeFramer((frame) => {
    read += frame.length
    const pdu = decodePdu(frame)
    if ('fault' in pdu) seen.faults.set(pdu.fault, (seen.faults.get(pdu.fault) ?? 0) + 1)
    else {
      seen.pdus++
      useAll(pdu)
    }
  })
  let is_lost = false
  for (let at = 0; at < stream.length && !is_lost;) {
    const end = at + 1 + chance(at === 0 ? 40 : 200)
    is_lost = !framer.push(stream.subarray(at, end))
    at = end
  }
  if (is_lost) seen.lost++
  // Framing is not lost: everything was read except an unfinished PDU.
  else if (framer.partial === (read === stream.length)) throw new Error('The framer lost count.')
}

/** Everything that is done with a received PDU. */
function useAll(pdu: Pdu): void {
  summarise(pdu, 16)
  if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') {
    readReceipt(pdu)
    decodeText(pdu, 'gsm7')
    decodeText(pdu, 'gsm7-packed')
  }
  try {
    encodePdu(pdu)
  } catch (fault) {
    if (!(fault instanceof UnsendablePdu)) throw fault
  }
}

test('a session survives broken PDUs, and reconnects after broken streams', { timeout: 300_000 }, async () => {
  const peer = await startRawSmsc()
  const session = startTestSession(peer.port, {}, { onPdu: () => undefined })
  await session.bound()
  const pdus = fc.sample(anyPdu(), { numRuns: 200, seed: 34 }).map(encodePdu)
  const chance = makeDice(34)
  for (let n = 1; n <= LIVE_CASES; n++) {
    const broken = breakBody(pdus[n % pdus.length]!, chance)
    writeChopped(
      peer.socket(),
      Buffer.concat([broken, encodePdu(makePdu('enquire_link', { sequence_number: n }))]),
      chance,
    )
    // Fifty in flight at a time.
    if (n % 50 === 0) await until(`the answer to enquire_link ${n}`, () => peer.last_alive() === n)
  }
  expect(session.states.filter(({ name }) => name === 'bound')).toHaveLength(1)
  for (let n = 1; n <= LOST_CASES; n++) {
    const connections = peer.connections()
    peer.socket().write(Buffer.concat([Buffer.from([chance(255) + 1]), Buffer.from(pdus[n]!)]))
    await until('a new connection', () => peer.connections() > connections && session.state().name === 'bound')
  }
  writeChopped(peer.socket(), encodePdu(makePdu('enquire_link', { sequence_number: 77_777 })), chance)
  await until('the last answer to enquire_link', () => peer.last_alive() === 77_777)
  await session.stop()
  await peer.stop()
})

test('the SMSC emulator survives broken PDUs', { timeout: 300_000 }, async () => {
  const smsc = await startSmsc()
  const socket = connect(smsc.port, '127.0.0.1')
  await once(socket, 'connect')
  let alive = 0
  const framer = makeFramer((frame) => {
    const pdu = decodePdu(frame)
    if (!('fault' in pdu) && pdu.command === 'enquire_link_resp') alive = pdu.sequence_number
  })
  socket.on('data', (chunk) => framer.push(chunk))
  socket.write(encodePdu(makePdu('bind_transceiver', { sequence_number: 1, system_id: 'fuzz' })))
  const chance = makeDice(35)
  const pdus = fc.sample(anyPdu(), { numRuns: 200, seed: 35 }).map(encodePdu)
  for (let n = 1; n <= LIVE_CASES / 2; n++) {
    const broken = breakBody(pdus[n % pdus.length]!, chance)
    writeChopped(socket, Buffer.concat([broken, encodePdu(makePdu('enquire_link', { sequence_number: n }))]), chance)
    if (n % 50 === 0) await until(`the answer to enquire_link ${n}`, () => alive === n)
  }
  expect(smsc.counts.faults).toBeGreaterThan(100)
  socket.destroy()
  await smsc.stop()
})

/** Answers binds and unbinds, and records answers to enquire_link; the test writes to its socket. */
async function startRawSmsc() {
  const sockets: Socket[] = []
  let last_alive = 0
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket)
    const framer = makeFramer((frame) => {
      const pdu = decodePdu(frame)
      if ('fault' in pdu) return
      const { command, sequence_number } = pdu
      if (command === 'bind_transceiver') socket.write(encodePdu(makePdu('bind_transceiver_resp', { sequence_number })))
      else if (command === 'unbind') socket.write(encodePdu(makePdu('unbind_resp', { sequence_number })))
      else if (command === 'enquire_link_resp') last_alive = sequence_number
    })
    socket.on('data', (chunk) => framer.push(chunk))
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    socket: () => sockets.at(-1)!,
    connections: () => sockets.length,
    last_alive: () => last_alive,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
