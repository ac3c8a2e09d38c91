import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { decodePdu } from '../src/carriers/codec/decode-pdu.ts'
import { encodePdu } from '../src/carriers/codec/encode-pdu.ts'
import { makeFramer } from '../src/carriers/codec/framer.ts'
import { makePdu } from '../src/carriers/codec/pdu.ts'
import type { Result } from './load.ts'
import { WARM_UP_S } from './warm-up.ts'

/**
 * Submits over several binds, each with its window always full. Run as a process of its own, with `-`; reads its
 * task as JSON from standard input, prints the result as JSON.
 */
export type SmppTask = {
  port: number
  logins: { system_id: string; password: string }[]
  window: number
  seconds: number
}

type Counts = { measuring: boolean; running: boolean; number: number; failures: number; times: number[] }

async function load({ port, logins, window, seconds }: SmppTask): Promise<Result> {
  const counts: Counts = { measuring: false, running: true, number: 0, failures: 0, times: [] }
  const binds = logins.map((login) => drive(port, login, window, counts))
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_S * 1_000))
  counts.measuring = true
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  counts.measuring = false
  const took_s = (performance.now() - began) / 1_000
  counts.running = false
  await Promise.all(binds)
  const times = counts.times.sort((a, b) => a - b)
  const at = (share: number): number => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  return { requests: times.length, failures: counts.failures, seconds: took_s, p50_ms: at(0.5), p99_ms: at(0.99) }
}

/** Resolves when the last answer has come. */
function drive(port: number, login: SmppTask['logins'][number], window: number, counts: Counts): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const began = new Map<number, number>()
    let sequence_number = 1
    const submit = (): void => {
      sequence_number += 1
      counts.number += 1
      began.set(sequence_number, performance.now())
      const destination_addr = `234803${String(counts.number % 10_000_000).padStart(7, '0')}`
      const short_message = Buffer.from('Your order is on its way.')
      const fields = { sequence_number, source_addr: 'Gangan', destination_addr, short_message }
      socket.write(encodePdu(makePdu('submit_sm', fields)))
    }
    const framer = makeFramer((frame) => {
      const pdu = decodePdu(frame)
      if ('fault' in pdu) return reject(new Error('an answer cannot be read'))
      if (pdu.command === 'bind_transmitter_resp') {
        if (pdu.command_status !== 0) return reject(new Error(`a bind was refused with ${pdu.command_status}`))
        for (let n = 0; n < window; n += 1) submit()
      }
      if (pdu.command !== 'submit_sm_resp') return
      if (counts.measuring) counts.times.push(performance.now() - (began.get(pdu.sequence_number) ?? 0))
      if (pdu.command_status !== 0) counts.failures += 1
      began.delete(pdu.sequence_number)
      if (counts.running) submit()
      else if (began.size === 0) {
        socket.destroy()
        resolve()
      }
    })
    socket.on('data', (chunk: Buffer) => {
      socket.cork()
      framer.push(chunk)
      socket.uncork()
    })
    socket.on('error', reject)
    socket.write(encodePdu(makePdu('bind_transmitter', { sequence_number: 1, ...login })))
  })
}

if (process.argv[2] === '-') process.stdout.write(JSON.stringify(await load((await json(process.stdin)) as SmppTask)))
