/** npm `smpp` has no types. These are the parts we use: an independent peer to test against and compare with. */
declare module 'smpp' {
  export type TheirPdu = Record<string, unknown> & {
    command_status: number
    message_id: string
    short_message: { message: string; udh?: Buffer[] }
    response(fields?: object): TheirPdu
    toBuffer(): Buffer
  }

  type TheirCommand =
    | 'bind_transceiver'
    | 'bind_transmitter'
    | 'bind_receiver'
    | 'data_sm'
    | 'replace_sm'
    | 'submit_sm'
    | 'submit_multi'
    | 'deliver_sm'
    | 'unbind'
    | 'enquire_link'
    | 'query_sm'
    | 'cancel_sm'

  export type TheirSession = {
    on(event: string, listener: (pdu: TheirPdu) => void): void
    send(pdu: TheirPdu): void
    close(): void
    destroy(): void
  } & Record<TheirCommand, (fields: object, onAnswer?: (answer: TheirPdu) => void) => void>

  const smpp: {
    PDU: new (command: string | Buffer, options?: object) => TheirPdu
    createServer(listener: (session: TheirSession) => void): import('node:net').Server
    connect(
      options: { host: string; port: number; tls?: boolean; localAddress?: string },
      listener: () => void,
    ): TheirSession
  }
  export default smpp
}
