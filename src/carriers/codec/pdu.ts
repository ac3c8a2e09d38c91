/**
 * SMPP 3.4 as tables: every command with its id and the fields of its body, in wire order, with their default values.
 * Types, encoder and decoder derive from it. Field names are the specification's.
 */
const NO_OCTETS: Buffer = Buffer.alloc(0)

const SOURCE = { source_addr_ton: 0, source_addr_npi: 0, source_addr: '' }
const DESTINATION = { dest_addr_ton: 0, dest_addr_npi: 0, destination_addr: '' }

const BIND = {
  system_id: '',
  password: '',
  system_type: '',
  interface_version: 0,
  addr_ton: 0,
  addr_npi: 0,
  address_range: '',
}

const CONTENT = {
  esm_class: 0,
  protocol_id: 0,
  priority_flag: 0,
  schedule_delivery_time: '',
  validity_period: '',
  registered_delivery: 0,
  replace_if_present_flag: 0,
  data_coding: 0,
  sm_default_msg_id: 0,
  short_message: NO_OCTETS,
}

const SHORT_MESSAGE = { service_type: '', ...SOURCE, ...DESTINATION, ...CONTENT }

/** A destination of submit_multi: a number (`dest_flag` 1) or a distribution list (2). */
export type Destination = { dest_flag: number; dest_addr_ton: number; dest_addr_npi: number; destination_addr: string }
/** A refused destination of a submit_multi. */
export type Unsuccess = {
  dest_addr_ton: number
  dest_addr_npi: number
  destination_addr: string
  error_status_code: number
}
const NO_DESTINATIONS: readonly Destination[] = []
const NO_UNSUCCESS: readonly Unsuccess[] = []
export const DEST_FLAG = { number: 1, list: 2 } as const
/** The specification's limit for submit_multi. */
export const MAX_DESTINATIONS = 254

const DATA = { service_type: '', ...SOURCE, ...DESTINATION, esm_class: 0, registered_delivery: 0, data_coding: 0 }

/** Maximum length of text fields with the terminating NUL, as in the specification. */
const MAX_LENGTH: Record<string, number> = {
  system_id: 16,
  password: 17, // 3.4 allows eight characters; carriers issue longer ones
  system_type: 13,
  address_range: 41,
  service_type: 6,
  source_addr: 21,
  destination_addr: 21,
  esme_addr: 65,
  schedule_delivery_time: 17,
  validity_period: 17,
  final_date: 17,
  message_id: 65,
}

export const COMMANDS = {
  generic_nack: define('generic_nack', 0x80000000, {}),
  bind_receiver: define('bind_receiver', 0x00000001, BIND),
  bind_receiver_resp: define('bind_receiver_resp', 0x80000001, { system_id: '' }),
  bind_transmitter: define('bind_transmitter', 0x00000002, BIND),
  bind_transmitter_resp: define('bind_transmitter_resp', 0x80000002, { system_id: '' }),
  query_sm: define('query_sm', 0x00000003, { message_id: '', ...SOURCE }),
  query_sm_resp: define('query_sm_resp', 0x80000003, {
    message_id: '',
    final_date: '',
    message_state: 0,
    error_code: 0,
  }),
  submit_sm: define('submit_sm', 0x00000004, SHORT_MESSAGE),
  submit_sm_resp: define('submit_sm_resp', 0x80000004, { message_id: '' }),
  deliver_sm: define('deliver_sm', 0x00000005, SHORT_MESSAGE),
  deliver_sm_resp: define('deliver_sm_resp', 0x80000005, { message_id: '' }),
  unbind: define('unbind', 0x00000006, {}),
  unbind_resp: define('unbind_resp', 0x80000006, {}),
  replace_sm: define('replace_sm', 0x00000007, {
    message_id: '',
    ...SOURCE,
    schedule_delivery_time: '',
    validity_period: '',
    registered_delivery: 0,
    sm_default_msg_id: 0,
    short_message: NO_OCTETS,
  }),
  replace_sm_resp: define('replace_sm_resp', 0x80000007, {}),
  cancel_sm: define('cancel_sm', 0x00000008, { service_type: '', message_id: '', ...SOURCE, ...DESTINATION }),
  cancel_sm_resp: define('cancel_sm_resp', 0x80000008, {}),
  bind_transceiver: define('bind_transceiver', 0x00000009, BIND),
  bind_transceiver_resp: define('bind_transceiver_resp', 0x80000009, { system_id: '' }),
  outbind: define('outbind', 0x0000000b, { system_id: '', password: '' }),
  enquire_link: define('enquire_link', 0x00000015, {}),
  enquire_link_resp: define('enquire_link_resp', 0x80000015, {}),
  submit_multi: define('submit_multi', 0x00000021, {
    service_type: '',
    ...SOURCE,
    dest_address: NO_DESTINATIONS,
    ...CONTENT,
  }),
  submit_multi_resp: define('submit_multi_resp', 0x80000021, { message_id: '', unsuccess_sme: NO_UNSUCCESS }),
  alert_notification: define('alert_notification', 0x00000102, {
    ...SOURCE,
    esme_addr_ton: 0,
    esme_addr_npi: 0,
    esme_addr: '',
  }),
  data_sm: define('data_sm', 0x00000103, DATA),
  data_sm_resp: define('data_sm_resp', 0x80000103, { message_id: '' }),
}

export type CommandName = keyof typeof COMMANDS
export type PduOf<C extends CommandName> = (typeof COMMANDS)[C]['blank']
export type Pdu = PduOf<CommandName>

export type SubmitSm = PduOf<'submit_sm'>
export type SubmitMulti = PduOf<'submit_multi'>
export type DeliverSm = PduOf<'deliver_sm'>
export type DataSm = PduOf<'data_sm'>
export type QuerySmResp = PduOf<'query_sm_resp'>

/** Any fields of a command; `makePdu` fills in the defaults of the others. */
export type PduFields<C extends CommandName> = Partial<Omit<PduOf<C>, 'command'>>

export function makePdu<C extends CommandName>(command: C, fields: PduFields<C> = {}): PduOf<C> {
  return Object.assign({ ...COMMANDS[command].blank, tlvs: [] }, fields)
}

export type Field =
  /** One octet. */
  | { name: string; kind: 'int' }
  /** Latin-1 with a terminating NUL, which counts in `max`. */
  | { name: string; kind: 'text'; max: number }
  /** A length octet, then that many octets. */
  | { name: string; kind: 'octets' }
  /** A count octet, then that many `Destination` or `Unsuccess`. */
  | { name: string; kind: 'destinations' | 'unsuccess' }

/** An optional parameter as on the wire; unknown and repeated ones are kept, in order. */
export type Tlv = { tag: number; value: Buffer }

type Head<C extends string> = {
  command: C
  /** 0 in requests. */
  command_status: number
  /** 1 to 0x7fffffff; a response repeats that of its request. */
  sequence_number: number
  tlvs: Tlv[]
}

/** A PDU accessed by field name. */
export type Values = Record<string, FieldValue | Tlv[]>

export type FieldValue = number | string | Buffer | readonly Destination[] | readonly Unsuccess[]

/** With a `blank` PDU of default values: copying one is much faster than setting its fields one by one. */
function define<C extends string, B extends Record<string, FieldValue>>(name: C, id: number, body: B) {
  const head: Head<C> = { command: name, command_status: 0, sequence_number: 0, tlvs: [] }
  return { id, fields: Object.entries(body).map(fieldOf), blank: { ...head, ...body } }
}

function fieldOf([name, zero]: [string, FieldValue]): Field {
  if (zero === NO_DESTINATIONS) return { name, kind: 'destinations' }
  if (zero === NO_UNSUCCESS) return { name, kind: 'unsuccess' }
  if (typeof zero === 'number') return { name, kind: 'int' }
  if (typeof zero === 'string') return { name, kind: 'text', max: MAX_LENGTH[name] ?? 0 }
  return { name, kind: 'octets' }
}

export const MAX_PDU_BYTES = 65_536
export const MAX_SEQUENCE_NUMBER = 0x7fffffff

/** Optional parameters we send or read. */
export const TAG = {
  receipted_message_id: 0x001e,
  user_message_reference: 0x0204,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  sc_interface_version: 0x0210,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
} as const

export function findTlv(pdu: { tlvs: readonly Tlv[] }, tag: number): Buffer | undefined {
  for (const tlv of pdu.tlvs) if (tlv.tag === tag) return tlv.value
  return undefined
}

/** Bits of esm_class. */
export const ESM = { udh: 0x40, kind: 0x3c, receipt: 0x04, intermediate: 0x20 } as const
