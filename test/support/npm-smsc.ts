import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo, Server, Socket } from 'node:net'
import { until } from './until.ts'

/** A PDU of npm `smpp`, which has no types. */
export type PeerPdu = {
  command: string
  command_status: number
  sequence_number: number
  source_addr: string
  destination_addr: string
  short_message: { message?: string | Buffer; udh?: Buffer[] }
  validity_period: unknown
  priority_flag: number
  esm_class: number
  data_coding: number
  message_id: string
  message_payload?: { message: string | Buffer }
  sar_msg_ref_num?: number
  sar_total_segments?: number
  sar_segment_seqnum?: number
  system_id: string
  password: string
  response(options?: object): PeerPdu
}

type PeerSession = {
  on(event: string, listener: (pdu: PeerPdu) => void): void
  send(pdu: PeerPdu): void
  deliver_sm(options: object, answered?: (pdu: PeerPdu) => void): void
  destroy(): void
  socket: Socket
}

const smpp = createRequire(import.meta.url)('smpp') as {
  createServer(listener: (session: PeerSession) => void): Server
}

/** The response to a submit: an id, a status, none, or bytes that are no PDU. */
export type Answer = { message_id: string } | { command_status: number } | 'silence' | 'cut' | 'nonsense'

export type NpmSmsc = {
  port: number
  submits: PeerPdu[]
  binds: PeerPdu[]
  /** The status with which binds are rejected. */
  refuse_binds?: number
  /** `m1`, `m2` … by default. A promise delays the response. */
  answer: (pdu: PeerPdu, n: number) => Answer | Promise<Answer>
  /** Sends a deliver_sm on the newest connection and returns the status of the response. */
  deliver(options: object): Promise<number>
  /** A report in the standard format. */
  report(message_id: string, stat: string, more?: { from?: string; err?: string }): Promise<number>
  cut(): void
  close(): Promise<void>
}

/** An SMSC made with npm `smpp`, an independent implementation. `says` is added to its bind responses. */
export async function startNpmSmsc(port = 0, says: object = { sc_interface_version: 0x34 }): Promise<NpmSmsc> {
  const sessions: PeerSession[] = []
  const server = smpp.createServer((session) => {
    for (const command of ['bind_transceiver', 'bind_transmitter', 'bind_receiver']) {
      session.on(command, (pdu) => {
        smsc.binds.push(pdu)
        if (smsc.refuse_binds !== undefined) {
          session.send(pdu.response({ command_status: smsc.refuse_binds }))
          return
        }
        session.send(pdu.response({ system_id: 'npm', ...says }))
        if (command !== 'bind_transmitter') sessions.push(session)
      })
    }
    session.on('submit_sm', (pdu) => void take(session, pdu))
    session.on('enquire_link', (pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu) => session.send(pdu.response()))
    session.on('error', () => {})
    session.on('close', () => {
      if (sessions.includes(session)) sessions.splice(sessions.indexOf(session), 1)
    })
  })

  async function take(session: PeerSession, pdu: PeerPdu): Promise<void> {
    smsc.submits.push(pdu)
    const answer = await smsc.answer(pdu, smsc.submits.length)
    if (answer === 'cut') session.destroy()
    else if (answer === 'nonsense') session.socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    else if (answer !== 'silence') session.send(pdu.response(answer))
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const smsc: NpmSmsc = {
    port: (server.address() as AddressInfo).port,
    submits: [],
    binds: [],
    answer: (_, n) => ({ message_id: `m${n}` }),
    async deliver(options) {
      const session = await until('a bound receiver', () => sessions.at(-1))
      return new Promise((resolve) => session.deliver_sm(options, ({ command_status }) => resolve(command_status)))
    },
    report: (message_id, stat, { from = '', err = '000' } = {}) =>
      smsc.deliver({
        esm_class: 4,
        source_addr: from,
        destination_addr: 'Gangan',
        short_message: `id:${message_id} sub:001 dlvrd:001 submit date:2611150400 done date:2611150401 stat:${stat} err:${err} text:`,
      }),
    cut() {
      for (const session of sessions) session.destroy()
    },
    async close() {
      smsc.cut()
      server.close()
      await once(server, 'close')
    },
  }
  return smsc
}
