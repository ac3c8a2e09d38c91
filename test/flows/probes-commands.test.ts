import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import type { ShownProbe } from '../../src/probes/schema.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan } from '../support/process.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NUMBER = '2348031234567'
const CREATE = ['create', 'codes', '--carrier', 'mtn', '--operator', 'MTN', '--from', 'MyBank']

let smsc: Smsc
let service: TestService
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let env: Record<string, string>

beforeAll(async () => {
  smsc = await startSmsc()
  folder = await temporaryFolder()
  const settings = {
    carriers: [smppCarrier(smsc.port), { kind: 'phone', name: 'drawer', probe: true, numbers: [{ number: NUMBER }] }],
    routes: [{ name: 'sms', channel: 'sms', carrier: 'mtn' }],
  }
  service = await openService({ settings })
  const config = join(folder.path, 'gangan.yaml')
  await writeFile(config, stringify(settings))
  env = { DATABASE_URL: service.database.url, GANGAN_PEPPER: PEPPER, GANGAN_CONFIG: config }
  await service.db`
    insert into phones (id, carrier, name, app, token_hash, seen_datetime)
    values (gen_random_uuid(), 'drawer', 'drawer', 'app', '\\x01', now())`
  await until('the bind', () => smsc.bound > 0)
})
afterAll(async () => {
  await service.close()
  await smsc.stop()
  await folder.remove()
})

const gangan = (...args: string[]) => runGangan(['probes', ...args], env)

test('the commands create a plan, say its cost, send a probe and export it', async () => {
  const made = await gangan(...CREATE, '--text', 'Your code is {{code}}')
  expect([made.code, made.stderr]).toEqual([0, ''])
  expect(made.stdout).toContain('codes is switched off. Its expected cost is not known.')
  const changed = await gangan(
    'update',
    'codes',
    '--per-day',
    '48',
    '--per-campaign',
    '3',
    '--hours',
    '0-24',
    '--switch',
    'on',
  )
  expect(changed.stdout).toContain('codes is switched on.')
  expect((await gangan('update', 'codes', '--switch', 'off')).stdout).toContain('codes is switched off.')
  expect((await gangan()).stdout).toMatch(/codes\s+off\s+mtn\s+MTN \(NG\)\s+MyBank\s+1\s+1\s+48\s+3\s+0-24\s+not known/)
  const ran = await gangan('run', 'codes')
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout).toContain('mtn: accepted.')
  const results = await gangan('results', '--plan', 'codes', '--json')
  const { probes }: { probes: ShownProbe[] } = JSON.parse(results.stdout)
  expect(probes).toMatchObject([{ plan: 'codes', outcome: 'accepted', recipient: NUMBER }])
  const exported = await gangan('export', '--carrier', 'mtn')
  expect(exported.stdout).toContain(probes[0]?.text)
  expect(exported.stdout).not.toContain(NUMBER)
  expect((await gangan('delete', 'codes')).stdout).toContain('codes is deleted')
})

test('bad input is refused with all errors', async () => {
  const bad = await gangan(...CREATE, '--text', 'no placeholder', '--carrier=nobody')
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--carrier is given twice')])
  const two = await gangan('create', 'bad', '--carrier', 'nobody', '--operator', 'X', '--from', 'A', '--text', 'none')
  expect(two.code).not.toBe(0)
  for (const field of ['carrier', 'operator', 'wordings[0]']) expect(two.stderr).toContain(`${field}: `)
  expect((await gangan(...CREATE)).stderr).toContain('--text or --texts are required')
  expect((await gangan(...CREATE, '--texts', join(folder.path, 'none'))).stderr).toContain('cannot be read (ENOENT)')
  expect((await gangan(...CREATE, '--text', '{{code}}', '--hours', '9')).stderr).toContain('two hours such as 8-22')
  expect((await gangan('run', 'other')).stderr).toContain('There is no plan other.')
})
