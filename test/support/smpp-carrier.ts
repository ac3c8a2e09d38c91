/** An SMPP carrier for tests, with short intervals. */
export function smppCarrier(port: number, more: object = {}) {
  return {
    kind: 'smpp',
    name: 'mtn',
    host: '127.0.0.1',
    port,
    system_id: 'gangan',
    password: 'secret',
    reconnect_after_s: 0.1,
    response_timeout_s: 2,
    ...more,
  }
}

export const smppRoute = { name: 'sms', channel: 'sms', carrier: 'mtn' }
