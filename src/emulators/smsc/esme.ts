import type { Socket } from 'node:net'
import { makePdu, TAG, type DeliverSm, type Pdu, type PduOf } from '../../carriers/codec/pdu.ts'
import { makeRequests } from '../../carriers/smpp/session/requests.ts'
import type { Esme, SmscState } from './state.ts'
import { cancelMessage, queryMessage } from './submit.ts'
import { STATUS } from '../../carriers/codec/status.ts'
import { answerName, openWire } from '../../carriers/smpp/session/wire.ts'

/** Serves one connection of an ESME to the emulated SMSC. */
export function serveEsme(smsc: SmscState, socket: Socket): void {
  const { counts, esmes } = smsc
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
      return esme.sends ? smsc.take(smsc, esme, pdu) : esme.answer(pdu, STATUS.RINVBNDSTS)
    }
    if (command === 'bind_transceiver' || command === 'bind_transmitter' || command === 'bind_receiver')
      return bind(pdu)
    if (command === 'query_sm') return queryMessage(smsc, esme, pdu)
    if (command === 'cancel_sm') return cancelMessage(smsc, esme, pdu)
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
    const { interface_version } = smsc.settings()
    const refusal = refusalOf(smsc, esme, pdu)
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
    if (esme.receives) smsc.mailbox(esme.system_id).pump()
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

const PARTIAL_PDU_MS = 10_000

function refusalOf(smsc: SmscState, esme: Esme, pdu: { system_id: string; password: string }): number | null {
  const { accounts, max_binds } = smsc.settings()
  if (esme.system_id !== '') return STATUS.RALYBND
  if (accounts !== null) {
    const account = accounts.find(({ system_id }) => system_id === pdu.system_id)
    if (account === undefined) return STATUS.RINVSYSID
    if (account.password !== pdu.password) return STATUS.RINVPASWD
  }
  const held = [...smsc.esmes].filter(({ system_id }) => system_id === pdu.system_id).length
  return held >= max_binds ? STATUS.RALYBND : null
}
