import smpp, { type TheirPdu, type TheirSession } from 'smpp'
import type { Organisation } from './service.ts'
import { until } from './until.ts'

export type Login = { system_id: string; password: string }

type Asked =
  | 'submit_sm'
  | 'submit_multi'
  | 'data_sm'
  | 'query_sm'
  | 'cancel_sm'
  | 'replace_sm'
  | 'enquire_link'
  | 'unbind'

/** A client made with npm `smpp`, an independent implementation. */
export type SmppClient = {
  session: TheirSession
  delivered: TheirPdu[]
  /** The status that answers deliveries; undefined: none is sent. */
  ack: number | undefined
  is_closed: boolean
  ask(command: Asked, fields?: object): Promise<TheirPdu>
  submit(fields: object): Promise<TheirPdu>
  /** The received reports, as the fields of their text. */
  reports(): Record<string, string>[]
  close(): void
}

export type BindCommand = 'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'

/** Creates an account over the API. */
export async function makeAccount(owner: Organisation, body: object = {}): Promise<Login> {
  const made = await owner.call<Login>('POST', '/smpp/accounts', body)
  if (made.status !== 200) throw new Error(`an account was rejected: ${made.text}`)
  return made.body
}

/** Connects and binds; returns the client and the status of the bind. */
export async function tryBind(
  port: number,
  login: Login,
  command: BindCommand = 'bind_transceiver',
  tls = false,
  localAddress = '127.0.0.1',
): Promise<SmppClient & { status: number }> {
  const session = smpp.connect({ host: '127.0.0.1', port, tls, localAddress }, () => {})
  const client: SmppClient & { status: number } = {
    session,
    delivered: [],
    ack: 0,
    is_closed: false,
    status: -1,
    ask: (asked, fields = {}) => new Promise((resolve) => session[asked](fields, resolve)),
    submit: (fields) => client.ask('submit_sm', { source_addr: 'Gangan', registered_delivery: 1, ...fields }),
    reports: () => client.delivered.filter(({ esm_class }) => esm_class === 4).map(readReport),
    close: () => session.close(),
  }
  session.on('error', () => {})
  session.on('close', () => (client.is_closed = true))
  session.on('enquire_link', (pdu) => session.send(pdu.response()))
  session.on('unbind', (pdu) => {
    session.send(pdu.response())
    session.close()
  })
  session.on('deliver_sm', (pdu) => {
    client.delivered.push(pdu)
    if (client.ack !== undefined) session.send(pdu.response({ command_status: client.ack }))
  })
  session[command](login, ({ command_status }) => (client.status = command_status))
  await until('a response to the bind, or its end', () => client.status >= 0 || client.is_closed)
  return client
}

export async function bind(port: number, login: Login, command?: BindCommand): Promise<SmppClient> {
  const client = await tryBind(port, login, command)
  if (client.status !== 0) throw new Error(`the bind was rejected with ${client.status}`)
  return client
}

function readReport(pdu: TheirPdu): Record<string, string> {
  const text = pdu.short_message.message
  const found =
    /^id:(\S+) sub:(\d{3}) dlvrd:(\d{3}) submit date:(\d{10}) done date:(\d{10}) stat:(\w{7}) err:(\w{3}) text:(.{0,20})$/.exec(
      text,
    )
  const [, id = '', sub = '', dlvrd = '', , , stat = '', err = '', quoted = ''] = found ?? []
  return { id, sub, dlvrd, stat, err, quoted, from: String(pdu.source_addr), to: String(pdu.destination_addr) }
}
