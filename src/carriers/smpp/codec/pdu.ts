/**
 * SMPP 3.4 as tables: every command with its number and the fields of its body in the order of the wire. The types, the
 * encoder and the decoder all come from here. Field names are the specification's.
 */
export type Field =
  /** One octet. */
  | { name: string; kind: 'int' }
  /** Latin-1 ended by a NUL; `max` counts the NUL, as the specification does. */
  | { name: string; kind: 'text'; max: number }
  /** An octet that counts, then that many octets. */
  | { name: string; kind: 'octets' }

const int = <N extends string>(name: N) => ({ name, kind: 'int' }) as const
const text = <N extends string>(name: N, max: number) => ({ name, kind: 'text', max }) as const
const octets = <N extends string>(name: N) => ({ name, kind: 'octets' }) as const

const SOURCE = [int('source_addr_ton'), int('source_addr_npi'), text('source_addr', 21)] as const
const DESTINATION = [int('dest_addr_ton'), int('dest_addr_npi'), text('destination_addr', 21)] as const

// 3.4 gives a password eight characters; carriers hand out longer ones.
const BIND = [
  text('system_id', 16),
  text('password', 17),
  text('system_type', 13),
  int('interface_version'),
  int('addr_ton'),
  int('addr_npi'),
  text('address_range', 41),
] as const

const SHORT_MESSAGE = [
  text('service_type', 6),
  ...SOURCE,
  ...DESTINATION,
  int('esm_class'),
  int('protocol_id'),
  int('priority_flag'),
  text('schedule_delivery_time', 17),
  text('validity_period', 17),
  int('registered_delivery'),
  int('replace_if_present_flag'),
  int('data_coding'),
  int('sm_default_msg_id'),
  octets('short_message'),
] as const

const DATA = [
  text('service_type', 6),
  ...SOURCE,
  ...DESTINATION,
  int('esm_class'),
  int('registered_delivery'),
  int('data_coding'),
] as const

const MESSAGE_ID = text('message_id', 65)

export const COMMANDS = {
  generic_nack: { id: 0x80000000, body: [] },
  bind_receiver: { id: 0x00000001, body: BIND },
  bind_receiver_resp: { id: 0x80000001, body: [text('system_id', 16)] },
  bind_transmitter: { id: 0x00000002, body: BIND },
  bind_transmitter_resp: { id: 0x80000002, body: [text('system_id', 16)] },
  query_sm: { id: 0x00000003, body: [MESSAGE_ID, ...SOURCE] },
  query_sm_resp: {
    id: 0x80000003,
    body: [MESSAGE_ID, text('final_date', 17), int('message_state'), int('error_code')],
  },
  submit_sm: { id: 0x00000004, body: SHORT_MESSAGE },
  submit_sm_resp: { id: 0x80000004, body: [MESSAGE_ID] },
  deliver_sm: { id: 0x00000005, body: SHORT_MESSAGE },
  deliver_sm_resp: { id: 0x80000005, body: [MESSAGE_ID] },
  unbind: { id: 0x00000006, body: [] },
  unbind_resp: { id: 0x80000006, body: [] },
  cancel_sm: { id: 0x00000008, body: [text('service_type', 6), MESSAGE_ID, ...SOURCE, ...DESTINATION] },
  cancel_sm_resp: { id: 0x80000008, body: [] },
  bind_transceiver: { id: 0x00000009, body: BIND },
  bind_transceiver_resp: { id: 0x80000009, body: [text('system_id', 16)] },
  outbind: { id: 0x0000000b, body: [text('system_id', 16), text('password', 17)] },
  enquire_link: { id: 0x00000015, body: [] },
  enquire_link_resp: { id: 0x80000015, body: [] },
  alert_notification: {
    id: 0x00000102,
    body: [...SOURCE, int('esme_addr_ton'), int('esme_addr_npi'), text('esme_addr', 65)],
  },
  data_sm: { id: 0x00000103, body: DATA },
  data_sm_resp: { id: 0x80000103, body: [MESSAGE_ID] },
} as const satisfies Record<string, { id: number; body: readonly Field[] }>

export type CommandName = keyof typeof COMMANDS

type Value<F extends Field> = F extends { kind: 'int' } ? number : F extends { kind: 'text' } ? string : Buffer
type Body<Fields extends readonly Field[]> = { [F in Fields[number] as F['name']]: Value<F> }

/** An optional parameter as it stood on the wire; unknown ones and repeated ones are kept, in order. */
export type Tlv = { tag: number; value: Buffer }

export type PduOf<C extends CommandName> = {
  command: C
  /** 0 in requests. */
  command_status: number
  /** 1 to 0x7fffffff; an answer carries that of its request. */
  sequence_number: number
  tlvs: Tlv[]
} & Body<(typeof COMMANDS)[C]['body']>

export type Pdu = { [C in CommandName]: PduOf<C> }[CommandName]

export type SubmitSm = PduOf<'submit_sm'>
export type DeliverSm = PduOf<'deliver_sm'>
export type DataSm = PduOf<'data_sm'>
export type QuerySmResp = PduOf<'query_sm_resp'>

/** The fields of a command one cares to name; `makePdu` gives the others their zero. */
export type PduFields<C extends CommandName> = Partial<Omit<PduOf<C>, 'command'>>

export function makePdu<C extends CommandName>(command: C, fields: PduFields<C> = {}): PduOf<C> {
  const pdu: Record<string, unknown> = { ...BLANK[command] }
  pdu['tlvs'] = []
  for (const name in fields) pdu[name] = fields[name as keyof PduFields<C>]
  return pdu as PduOf<C>
}

const ZERO = { int: 0, text: '', octets: Buffer.alloc(0) }

/** A PDU of each command with every field at its zero. A copy of one is made far faster than the fields one by one. */
export const BLANK = Object.fromEntries(
  Object.entries(COMMANDS).map(([command, { body }]) => {
    const fields = Object.fromEntries((body as readonly Field[]).map(({ name, kind }) => [name, ZERO[kind]]))
    return [command, { command, command_status: 0, sequence_number: 0, tlvs: [], ...fields }]
  }),
) as unknown as { [C in CommandName]: PduOf<C> }

export const MAX_PDU_BYTES = 65_536
export const MAX_SEQUENCE_NUMBER = 0x7fffffff

/** Optional parameters we send or read. */
export const TAG = {
  source_subaddress: 0x0202,
  dest_addr_subunit: 0x0005,
  receipted_message_id: 0x001e,
  user_message_reference: 0x0204,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  sc_interface_version: 0x0210,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  more_messages_to_send: 0x0426,
  message_state: 0x0427,
} as const

export function findTlv(pdu: { tlvs: readonly Tlv[] }, tag: number): Buffer | undefined {
  for (const tlv of pdu.tlvs) if (tlv.tag === tag) return tlv.value
  return undefined
}

/** Bits of esm_class. */
export const ESM = { udh: 0x40, kind: 0x3c, receipt: 0x04, intermediate: 0x20 } as const
