import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { decideConfig } from './config.ts'
import { configWarnings } from './warnings.ts'

const folder = mkdtempSync(join(tmpdir(), 'gangan-warnings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const smpp = { kind: 'smpp', name: 'mtn', host: 'smpp.example', port: 2775, system_id: 'me', password: 'secret' }
const route = { name: 'sms', channel: 'sms', carriers: ['mtn'] }
const safe = { public_url: 'https://msg.example.com', backups: { folder: '/backups' } }

async function warningsOf(file: object, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const found = await configWarnings(env, decideConfig(env, file))
  expect(found.every(({ advice }) => advice !== undefined)).toBe(true)
  return found.map(({ level, summary }) => `${level}: ${summary}`)
}

describe('a valid configuration', () => {
  test('of the sandbox, or of a careful operator, has no warnings', async () => {
    expect(await warningsOf({})).toEqual([])
    expect(await warningsOf({ ...safe, carriers: [smpp], routes: [route] })).toEqual([])
  })

  test('with real carriers needs an address, backups, and a pepper beside the database', async () => {
    const live = { carriers: [smpp], routes: [route] }
    expect(await warningsOf(live)).toEqual([
      'warning: public_url: links and callback addresses lead to this machine only.',
      'warning: backups: no scheduled backups are configured.',
    ])
    expect(await warningsOf({ ...live, ...safe }, { DATABASE_URL: 'postgres://a@b/c' })).toEqual([
      'warning: GANGAN_PEPPER: the pepper is kept in the database that it protects.',
    ])
  })

  test('names carriers that no route leads to, and channels without a price', async () => {
    const carriers = [smpp, { ...smpp, name: 'glo' }]
    const prices = [{ channel: 'whatsapp', prefix: '', price: 1 }]
    expect(await warningsOf({ ...safe, carriers, routes: [route], prices })).toEqual([
      'warning: carriers: no route leads to glo.',
      'warning: prices: there is no price for sms: its messages are rejected.',
    ])
  })

  test('names variables that nothing reads', async () => {
    expect(await warningsOf({}, { GANGAN_PEPER: 'x', GANGAN_DATA: '/data', HOME: '/root' })).toEqual([
      'warning: GANGAN_PEPER: nothing reads this variable.',
    ])
  })

  test('that any client reads the metrics is a warning where other machines reach the port', async () => {
    const shown = ['warning: GANGAN_METRICS_TOKEN: every client that reaches the API can read /metrics.']
    expect(await warningsOf({}, { HOST: '0.0.0.0' })).toEqual(shown)
    expect(await warningsOf({}, { HOST: '0.0.0.0', GANGAN_METRICS_TOKEN: 'a'.repeat(16) })).toEqual([])
    expect(await warningsOf({}, { HOST: '0.0.0.0', GANGAN_METRICS_PORT: '9464' })).toEqual([])
    expect(await warningsOf({}, { HOST: '::1' })).toEqual([])
  })

  test('with secrets that others can read is a warning; without secrets it is none', async () => {
    const path = join(folder, 'gangan.yaml')
    writeFileSync(path, 'carriers:\n  - name: mtn\n    password: secret\n', { mode: 0o644 })
    chmodSync(path, 0o644)
    expect(await warningsOf({}, { GANGAN_CONFIG: path })).toEqual([
      `warning: GANGAN_CONFIG: ${path} holds secrets and can be read by every user of this machine.`,
    ])
    chmodSync(path, 0o600)
    expect(await warningsOf({}, { GANGAN_CONFIG: path })).toEqual([])
    writeFileSync(path, 'currency: NGN\n')
    chmodSync(path, 0o644)
    expect(await warningsOf({}, { GANGAN_CONFIG: path })).toEqual([])
  })

  test('that names a file which cannot be read is critical', async () => {
    const tls = { ca_file: join(folder, 'gone.pem'), insecure: true }
    const smpp_server = { tls: { key: join(folder, 'key.pem'), cert: join(folder, 'gone.crt') } }
    writeFileSync(smpp_server.tls.key, 'key')
    chmodSync(smpp_server.tls.key, 0o644)
    expect(await warningsOf({ ...safe, smpp_server, carriers: [{ ...smpp, tls }], routes: [route] })).toEqual([
      `warning: smpp_server.tls.key: ${smpp_server.tls.key} holds secrets and can be read by every user of this machine.`,
      `critical: smpp_server.tls.cert: ${smpp_server.tls.cert} cannot be read (ENOENT).`,
      `critical: carriers.0.tls.ca_file: ${tls.ca_file} cannot be read (ENOENT).`,
      'warning: carriers.0.tls.insecure: any certificate of mtn is accepted.',
    ])
  })
})
