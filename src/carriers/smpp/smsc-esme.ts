import type { Socket } from 'node:net'
import type { Chance } from './chance.ts'
import type { Handsets } from './handset.ts'
import { makePdu, TAG, type DeliverSm, type Pdu, type PduOf } from './pdu.ts'
import { makeRequests } from './requests.ts'
import type { Mailbox } from './smsc-mailbox.ts'
import type { SmscSettings } from './smsc-settings.ts'
import { cancelMessage, queryMessage, takeSubmit, type SmscMessage } from './smsc-submit.ts'
import type { SmscCounts } from './smsc.ts'
import { STATUS } from './status.ts'
import { answerName, openWire } from './wire.ts'

/** One connection of an ESME to our SMSC. */
export function serveEsme(house: SmscHouse, socket: Socket): void {
  const { counts, esmes } = house
  const wire = openWire({ onPdu, onClose, onFault: () => counts.faults++ }, socket, PARTIAL_PDU_MS)
  const requests = makeRequests(wire)
  const esme: Esme = {
    system_id: '',
    sends: false,
    receives: false,
    delivering: 0,
    deliver,
    answer: (request, command_status, body = {}) => {
      const { command, sequence_number } = request
      wire.send(makePdu(answerName(command) ?? 'generic_nack', { ...body, command_status, sequence_number }))
    },
    cut: () => socket.destroy(),
  }

  function onPdu(pdu: Pdu): void {
    const { command } = pdu
    if (command === 'submit_sm' || command === 'data_sm') {
      return esme.sends ? takeSubmit(house, esme, pdu) : esme.answer(pdu, STATUS.RINVBNDSTS)
    }
    if (command === 'bind_transceiver' || command === 'bind_transmitter' || command === 'bind_receiver')
      return bind(pdu)
    if (command === 'query_sm') return queryMessage(house, esme, pdu)
    if (command === 'cancel_sm') return cancelMessage(house, esme, pdu)
    if (command === 'unbind') {
      counts.unbinds++
      esmes.delete(esme)
      esme.answer(pdu, STATUS.ROK)
      return wire.close('it unbound')
    }
    if (answerName(command) === null) requests.settle(pdu)
    else esme.answer(pdu, STATUS.RINVCMDID)
  }

  function bind(pdu: PduOf<'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'>): void {
    const { interface_version } = house.settings()
    const refusal = refusalOf(house, esme, pdu)
    if (refusal !== null) {
      counts.binds_refused++
      return esme.answer(pdu, refusal)
    }
    counts.binds++
    esme.system_id = pdu.system_id
    esme.sends = pdu.command !== 'bind_receiver'
    esme.receives = pdu.command !== 'bind_transmitter'
    esmes.add(esme)
    const version = { tag: TAG.sc_interface_version, value: Buffer.from([interface_version ?? 0]) }
    esme.answer(pdu, STATUS.ROK, { system_id: 'gangan-smsc', tlvs: interface_version === null ? [] : [version] })
    if (esme.receives) house.mailbox(esme.system_id).pump()
  }

  async function deliver(sm: DeliverSm, timeout_ms: number): Promise<number> {
    esme.delivering++
    try {
      const { command_status } = await requests.send({ ...sm }, timeout_ms)
      return command_status
    } finally {
      esme.delivering--
    }
  }

  function onClose(reason: string): void {
    esmes.delete(esme)
    requests.cut(reason)
  }
}

/** What the parts of the SMSC share. */
export type SmscHouse = {
  settings(): SmscSettings
  chance: Chance
  handsets: Handsets
  counts: SmscCounts
  /** By the id in their answer. */
  messages: Map<string, SmscMessage>
  /** Submits taken in the present second, by account. */
  taken: Map<string, { second: number; count: number }>
  /** Those that are bound. */
  esmes: Set<Esme>
  mailbox(system_id: string): Mailbox
  /** Not any more once the SMSC is stopped; at once if there is no time to wait. */
  later(time_ms: number, work: () => void): void
}

export type Esme = {
  /** Empty until it has bound. */
  system_id: string
  sends: boolean
  receives: boolean
  delivering: number
  /** Resolves to the status it was answered with. */
  deliver(sm: DeliverSm, timeout_ms: number): Promise<number>
  answer(request: Pdu, command_status: number, body?: object): void
  /** Without a word. */
  cut(): void
}

const PARTIAL_PDU_MS = 10_000

function refusalOf(house: SmscHouse, esme: Esme, pdu: { system_id: string; password: string }): number | null {
  const { accounts, max_binds } = house.settings()
  if (esme.system_id !== '') return STATUS.RALYBND
  if (accounts !== null) {
    const account = accounts.find(({ system_id }) => system_id === pdu.system_id)
    if (account === undefined) return STATUS.RINVSYSID
    if (account.password !== pdu.password) return STATUS.RINVPASWD
  }
  const held = [...house.esmes].filter(({ system_id }) => system_id === pdu.system_id).length
  return held >= max_binds ? STATUS.RALYBND : null
}
