import { once } from 'node:events'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOpenFiles, findSharedMemory, findTimeZones } from '../../src/cli/doctor/system.ts'
import { decideConfig } from '../../src/config/config.ts'
import type { Found } from '../../src/status/check.ts'
import { urlOf } from '../support/address.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder, type Folder } from '../support/folder.ts'
import { runGangan } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'

let folder: Folder
let database: TestDatabase
const servers: Server[] = []

beforeAll(async () => {
  folder = await temporaryFolder()
  database = await freshDatabase()
})
afterAll(async () => {
  for (const server of servers) server.close()
  await database.drop()
  await folder.remove()
})

async function listening(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function writeConfig(settings: object): Promise<string> {
  const path = join(folder.path, 'gangan.yaml')
  await writeFile(path, stringify(settings))
  await chmod(path, 0o600)
  return path
}

async function doctor(env: Record<string, string>, settings?: object) {
  const files = settings === undefined ? {} : { GANGAN_CONFIG: await writeConfig(settings) }
  const { code, stdout, stderr } = await runGangan(['doctor', '--json', '--timeout', '6'], {
    PORT: '0',
    ...files,
    ...env,
  })
  expect(stderr).toBe('')
  const { findings } = JSON.parse(stdout) as { findings: Found[] }
  return { code, of: (check: string) => findings.filter((one) => one.check === check), findings }
}

describe('gangan doctor', () => {
  test('before the first start finds what is there, and makes nothing', async () => {
    const { of, findings } = await doctor({ GANGAN_DATA: join(folder.path, 'new', 'data') })
    expect(findings.filter(({ level }) => level === 'critical')).toEqual([])
    expect(of('folders')).toMatchObject([{ level: 'ok', summary: expect.stringMatching(/new\/data can be made\.$/) }])
    expect(of('postgresql')).toMatchObject([
      { summary: expect.stringContaining('The embedded PostgreSQL is installed') },
    ])
    expect(await readdir(folder.path)).toEqual([])
  })

  test('reports the settings of a database server', async () => {
    const DATABASE_URL = urlOf(database.address)
    const found = (await doctor({ DATABASE_URL })).of('postgresql').map(({ summary }) => summary)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^PostgreSQL \d+.*, encoding UTF8, locale /),
        expect.stringMatching(/connections are enough for \d+ processes|PostgreSQL allows/),
      ]),
    )
    // The server of the tests writes nothing durably.
    const [{ fsync } = {}] = await database.db<{ fsync?: string }[]>`select current_setting('fsync') as fsync`
    expect(found.some((summary) => summary.startsWith('fsync is off'))).toBe(fsync === 'off')
    expect(found.some((summary) => summary.startsWith('Commits are durable'))).toBe(fsync === 'on')
    const { code, of } = await doctor({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/gangan' })
    expect(code).toBe(11)
    expect(of('postgresql')).toMatchObject([{ level: 'critical', summary: expect.stringContaining('ECONNREFUSED') }])
  })

  test('connects to carriers over TCP and TLS, and judges their certificates', async () => {
    const ca_file = join(folder.path, 'ca.pem')
    await writeFile(ca_file, CERTIFICATE)
    const tls_port = await listening(createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }))
    const plain_port = await listening(createServer())
    const silent_port = await listening(createServer())
    const tls = { ca_file, servername: 'smsc.test' }
    const carriers = [
      smppCarrier(plain_port, { name: 'plain' }),
      smppCarrier(tls_port, { name: 'trusted', tls }),
      smppCarrier(tls_port, { name: 'other-name', tls: { ca_file, servername: 'other.test' } }),
      smppCarrier(tls_port, { name: 'insecure', tls: { insecure: true } }),
      smppCarrier(silent_port, { name: 'silent', tls }),
      smppCarrier(1, { name: 'refusing' }),
      smppCarrier(1, { name: 'unknown', host: 'no-such-host.invalid' }),
    ]
    const { code, of } = await doctor({ GANGAN_DATA: join(folder.path, 'new') }, { carriers, routes: [] })
    const level = new Map(
      of('peers').map(({ summary, level: own }) => [/\b(\S+) at /.exec(summary)?.[1], [own, summary]]),
    )
    expect(Object.fromEntries(level)).toEqual({
      plain: ['ok', expect.stringContaining('accepts connections.')],
      trusted: ['ok', expect.stringContaining('its certificate expires on 2126-10-22')],
      'other-name': ['critical', expect.stringContaining('not accepted')],
      insecure: ['warning', expect.stringContaining('tls.insecure')],
      silent: ['critical', expect.stringContaining('ETIMEDOUT')],
      refusing: ['critical', expect.stringContaining('ECONNREFUSED')],
      unknown: ['critical', expect.stringContaining('cannot be resolved')],
    })
    expect(code).toBe(11)
  })

  test('knows a port that another program has', async () => {
    const port = await listening(createServer((socket) => socket.destroy()))
    const { of } = await doctor({ GANGAN_DATA: join(folder.path, 'new'), PORT: String(port) })
    expect(of('ports')).toMatchObject([
      { level: 'critical', summary: `Port ${port} on 127.0.0.1 (HTTP) is in use by another program.` },
    ])
  })

  test('names an invalid configuration, with every error', async () => {
    const GANGAN_CONFIG = await writeConfig({ colour: 'red' })
    const { code, stderr } = await runGangan(['doctor'], { GANGAN_CONFIG, PORT: 'x' })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/colour[^]*PORT/)])
  })

  test('warns of a data folder that others can read, and of backups on the same disk', async () => {
    const data = join(folder.path, 'open')
    await mkdir(data)
    await chmod(data, 0o755)
    const { of } = await doctor({ GANGAN_DATA: data }, { backups: { folder: join(folder.path, 'backups') } })
    expect(of('folders').map(({ level, summary }) => [level, summary])).toEqual([
      ['warning', `The data folder ${data} can be read or written by other users (mode 755).`],
      ['warning', 'Backups are on the same disk as the data: they are lost with it.'],
      ['ok', `The folder of backups ${join(folder.path, 'backups')} can be made.`],
    ])
  })
})

describe('beside a running service', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({
      workers: false,
      config: { metrics: { port: 0, host: '127.0.0.1', token: 'a'.repeat(16) } },
    })
  })
  afterAll(() => service.close())

  test('its ports are its own', async () => {
    const [PORT, GANGAN_METRICS_PORT] = [service.url, service.metrics_url].map((url) => new URL(url).port)
    const { of } = await doctor({
      GANGAN_DATA: join(folder.path, 'new'),
      PORT: PORT ?? '',
      GANGAN_METRICS_PORT: GANGAN_METRICS_PORT ?? '',
    })
    expect(of('ports').map(({ level, summary }) => [level, summary])).toEqual([
      ['ok', `Port ${PORT} on 127.0.0.1 (HTTP) is in use by Gangan.`],
      ['ok', `Port ${GANGAN_METRICS_PORT} on 127.0.0.1 (metrics) is in use by Gangan.`],
    ])
  })
})

describe('limits of the system', () => {
  test('too few open files are a warning', () => {
    expect(findOpenFiles(1_024)).toMatchObject({ level: 'warning' })
    expect([findOpenFiles(65_536), findOpenFiles(undefined)]).toMatchObject([{ level: 'ok' }, { level: 'ok' }])
  })

  test('time zones without data are critical', () => {
    expect(findTimeZones(['Africa/Lagos', 'Africa/Nowhere'])).toMatchObject({
      level: 'critical',
      summary: 'Node.js has no data for the time zones Africa/Nowhere.',
    })
  })

  test('missing shared memory is a warning, unless the database is elsewhere', async () => {
    const here = decideConfig({}, {})
    expect(await findSharedMemory(here, join(folder.path, 'shm'))).toMatchObject([{ level: 'warning' }])
    expect(await findSharedMemory({ ...here, database_url: 'postgres://a' })).toEqual([])
  })
})

describe('gangan config check', () => {
  const check = (args: string[], env: Record<string, string> = {}) => runGangan(['config', 'check', ...args], env)

  test('accepts the sample file, and a draft instead of the file in use', async () => {
    expect(await check(['gangan.example.yaml'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' is valid: sandbox, 1 carrier, 2 routes, '),
    })
    const GANGAN_CONFIG = join(folder.path, 'gone.yaml')
    expect(await check([], { GANGAN_CONFIG })).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') })
    expect((await check(['gangan.example.yaml'], { GANGAN_CONFIG })).code).toBe(0)
  })

  test('reports every error of the file, its secrets and the environment in one message', async () => {
    const providers = [
      { name: 'a', label: 'A', issuer: 'https://a.example', client_id: 'b', client_secret_env: 'UNSET' },
    ]
    const path = await writeConfig({
      sign_in: { providers },
      carriers: [{ kind: 'http', name: 'x', preset: 'unheard-of', credentials: {} }],
      routes: [{ name: 'sms', channel: 'sms', carrier: 'nowhere' }],
    })
    const { code, stderr } = await check([path], { GANGAN_LOG: 'loud', GANGAN_DATA: join(folder.path, 'not-made') })
    expect(code).toBe(2)
    for (const place of ['client_secret_env: UNSET', 'presets/unheard-of.yaml', 'no carrier nowhere', 'GANGAN_LOG']) {
      expect(stderr).toContain(place)
    }
    await writeFile(path, 'a: [\n')
    const broken = await check([path], { PORT: 'x' })
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringMatching(/gangan\.yaml: [^]*PORT/)])
    expect(await readdir(folder.path)).not.toContain('not-made')
  })

  test('exits with 10 if there are warnings, which --json lists', async () => {
    const { code, stdout } = await check(['gangan.example.yaml', '--json'], { GANGAN_PROT: '8080' })
    const { findings } = JSON.parse(stdout) as { findings: Found[] }
    expect(code).toBe(10)
    expect(findings[0]).toMatchObject({ level: 'warning', summary: 'GANGAN_PROT: nothing reads this variable.' })
  })
})
