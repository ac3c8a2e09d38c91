import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { temporaryFolder } from '../support/folder.ts'
import { openService } from '../support/service.ts'
import { makeAccount, tryBind, type Login } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

test('accepts TLS, and unbinds when the service stops', async () => {
  const { tls, folder } = await certificate()
  const first_byte_timeout_ms = 200
  const service = await openService({ settings: { smpp_server: { port: 0, tls, first_byte_timeout_ms } } })
  const login = await makeAccount(service)
  const client = await tryTlsBind(service.smpp_port, login)
  expect(client.status).toBe(0)
  const silent = connect(service.smpp_port, '127.0.0.1').resume()
  silent.on('error', () => {})
  await until('the end of the silent one', () => silent.destroyed)
  expect(client.is_closed).toBe(false)
  let asked_to_unbind = false
  client.session.on('unbind', () => (asked_to_unbind = true))
  const plain = connect(service.smpp_port, '127.0.0.1').resume()
  plain.on('error', () => {})
  plain.write('GET / HTTP/1.1\r\n\r\n')
  await until('the end of the one without TLS', () => plain.destroyed)
  const submitting = client.submit({ destination_addr: '2348031234567', short_message: 'Hello' })
  await service.close()
  // Accepted, or rejected with a status that asks for a retry.
  expect([0, 8]).toContain((await submitting).command_status)
  await until('the unbind', () => asked_to_unbind && client.is_closed)
  await folder.remove()
})

test('a connection that never starts the TLS handshake counts as unbound', async () => {
  const { tls, folder } = await certificate()
  const limits = { unbound: 12, unbound_per_address: 2 }
  const service = await openService({ settings: { smpp_server: { port: 0, tls, limits } } })
  const silent = Array.from({ length: 5 }, () => connect(service.smpp_port, '127.0.0.1').resume())
  for (const socket of silent) socket.on('error', () => {})
  await until('three to be closed', () => silent.filter(({ destroyed }) => destroyed).length === 3)
  for (const socket of silent) socket.destroy()
  const login = await makeAccount(service)
  const first = await until('a free connection slot', async () => {
    const client = await tryTlsBind(service.smpp_port, login)
    return client.status === 0 && client
  })
  // A bound client is no longer counted.
  const others = [await tryTlsBind(service.smpp_port, login), await tryTlsBind(service.smpp_port, login)]
  expect([first, ...others].map(({ status }) => status)).toEqual([0, 0, 0])
  await service.close()
  await folder.remove()
})

test('unbound connections are limited, and an account is locked out after ten wrong passwords', async () => {
  const limits = { unbound: 12, unbound_per_address: 10 }
  const service = await openService({ settings: { smpp_server: { port: 0, limits } } })
  const waiting = Array.from({ length: 13 }, () => connect(service.smpp_port, '127.0.0.1').resume())
  for (const socket of waiting) socket.on('error', () => {})
  await until('three to be closed', () => waiting.filter(({ destroyed }) => destroyed).length === 3)
  for (const socket of waiting) socket.destroy()
  const login = await makeAccount(service)
  const wrong = { ...login, password: 'guessing' }
  await until('a free connection slot', async () => (await tryBind(service.smpp_port, login)).status === 0)
  await Promise.all(Array.from({ length: 10 }, () => tryBind(service.smpp_port, wrong)))
  // After ten wrong passwords the right one is rejected unchecked.
  expect((await tryBind(service.smpp_port, login)).status).toBe(0x0d)
  await service.close()
})

async function certificate() {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  await Promise.all([writeFile(key, PRIVATE_KEY), writeFile(cert, CERTIFICATE)])
  return { folder, tls: { key, cert } }
}

/** A self-signed certificate, which this client accepts. */
async function tryTlsBind(port: number, login: Login) {
  const strict = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const client = await tryBind(port, login, 'bind_transceiver', true)
  if (strict === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = strict
  return client
}
