import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { encodePdu } from '../../src/carriers/codec/encode-pdu.ts'
import { makePdu, type Pdu } from '../../src/carriers/codec/pdu.ts'
import type { Login } from '../support/smpp-client.ts'

/** Floods of the SMPP server by one organisation, or an unauthenticated client. */
export type Flood = {
  name: string
  connections: number
  /** How many addresses the connections come from. */
  addresses: number
  binds: boolean
  /** Written repeatedly. */
  octets: Buffer
  /** The number of PDUs in the octets. */
  pdus: number
  answer_deliveries: boolean
  /** Reconnects when its connection is closed. */
  reconnects: boolean
}

export type Flooding = { stop(): Promise<{ sent: number; answered: number; deliveries: number }> }

const FLOODER = fileURLToPath(new URL('../support/smpp-flooder.mjs', import.meta.url))
const BINDS = 20
/** Written in one call. */
const TOGETHER = 100
const NUMBER = { dest_addr_ton: 1, dest_addr_npi: 1 }
const TEXT = { source_addr: 'Gangan', short_message: Buffer.from('Flood') }

const UNKNOWN = Buffer.from('00000010000000aa0000000000000008', 'hex')

function segments(): Pdu[] {
  return Array.from({ length: 254 }, (_, n) =>
    makePdu('submit_sm', {
      ...NUMBER,
      ...TEXT,
      destination_addr: '2348031230001',
      esm_class: 0x40,
      short_message: Buffer.from([5, 0, 3, 9, 255, n + 1, 0x41]),
    }),
  )
}

export function floods(): Flood[] {
  const bound = { connections: BINDS, addresses: 1, binds: true, answer_deliveries: true, reconnects: true }
  const repeated = (pdu: Pdu, count = TOGETHER) => ({
    octets: Buffer.concat(Array.from({ length: count }, () => encodePdu(pdu))),
    pdus: count,
  })
  const submit = makePdu('submit_sm', { ...NUMBER, ...TEXT, destination_addr: '2348031230001' })
  const dest_address = Array.from({ length: 254 }, (_, n) => ({
    dest_flag: 1,
    ...NUMBER,
    destination_addr: `234803124${String(n).padStart(4, '0')}`,
  }))
  return [
    { name: 'enquire_link', ...bound, ...repeated(makePdu('enquire_link', { sequence_number: 1 })) },
    {
      name: 'unknown commands',
      ...bound,
      octets: Buffer.concat(Array.from({ length: TOGETHER }, () => UNKNOWN)),
      pdus: TOGETHER,
    },
    { name: 'submit_sm', ...bound, ...repeated(submit) },
    {
      name: 'submit_multi to 254 numbers',
      ...bound,
      ...repeated(makePdu('submit_multi', { ...TEXT, dest_address }), 1),
    },
    {
      name: 'segments of one long text',
      ...bound,
      octets: Buffer.concat(segments().map(encodePdu)),
      pdus: segments().length,
    },
    {
      name: 'submit_sm with reports that are not acknowledged',
      ...bound,
      ...repeated({ ...submit, registered_delivery: 1 }),
      answer_deliveries: false,
    },
    {
      name: 'connections from 5 addresses that say nothing',
      ...bound,
      connections: 100,
      addresses: 5,
      binds: false,
      octets: Buffer.alloc(0),
      pdus: 1,
    },
    {
      name: 'connections from 5 addresses that send PDUs and do not bind',
      ...bound,
      connections: 100,
      addresses: 5,
      binds: false,
      ...repeated(makePdu('enquire_link', { sequence_number: 1 })),
    },
  ]
}

/** Starts a separate process that floods. */
export async function startFlood(flood: Flood, port: number, login: Login): Promise<Flooding> {
  const { octets, pdus, binds, ...plan } = flood
  const bind = binds ? encodePdu(makePdu('bind_transceiver', { sequence_number: 1, ...login })).toString('hex') : null
  const argument = JSON.stringify({ ...plan, port, bind, flood: octets.toString('hex') })
  const child = spawn(process.execPath, [FLOODER, argument], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child.stdout, 'data')
  return {
    async stop() {
      child.stdin.end()
      await ended
      const last = output.trim().split('\n').at(-1) ?? '{}'
      const { sent_bytes, answers, deliveries } = JSON.parse(last) as Record<string, number>
      const sent = octets.length === 0 ? 0 : Math.round(((sent_bytes ?? 0) / octets.length) * pdus)
      return { sent, answered: answers ?? 0, deliveries: deliveries ?? 0 }
    },
  }
}
