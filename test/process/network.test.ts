import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder, type Folder } from '../support/folder.ts'
import { MAIN, runGangan } from '../support/process.ts'
import { bind } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const SCENARIO = `
acceleration: 100
operators: [{ name: MTN, prefixes: ["234803"] }]
carriers:
  - { name: one, price: 1.5 }
  - { name: two, faked: 1, rejected: { RINVSRCADR: 0.5 } }
`

let folder: Folder
let file: string
beforeAll(async () => {
  folder = await temporaryFolder()
  file = join(folder.path, 'scenario.yaml')
  await writeFile(file, SCENARIO)
})
afterAll(() => folder.remove())

function startNetwork(args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'network', file, ...args])
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  return { child, said, ended: once(child, 'close') }
}

test('gangan network prints its ports, and at its end a report', async () => {
  const { child, said, ended } = startNetwork(['--json', '--seed', '5'])
  await until('its start', () => said.stderr.includes('Network simulator started, seed 5'))
  const ports = [...said.stderr.matchAll(/^(one|two): SMPP port (\d+)$/gm)].map(([, , port]) => Number(port))
  for (const port of ports) {
    const client = await bind(port, { system_id: 'gangan', password: 'secret' })
    for (let n = 0; n < 20; n++) {
      await client.submit({ destination_addr: `23480312345${10 + n}`, short_message: 'Hello' })
    }
    await until('its receipts', () => client.delivered.length >= (port === ports[0] ? 20 : 5))
    client.close()
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const report = JSON.parse(said.stdout)
  expect(report).toMatchObject({
    seed: 5,
    carriers: [
      { carrier: 'one', operator: 'MTN', submitted: 20, delivered: 20, receipts: 20, rejected: {}, cost: 30 },
      { carrier: 'two', operator: 'MTN', submitted: 20, delivered: 0 },
    ],
    best: [{ operator: 'MTN', carrier: 'one', delivered_share: 1, cost_per_message: 1.5 }],
  })
  const [, two] = report.carriers
  expect(two.faked + two.rejected.RINVSRCADR + two.pending).toBe(20)
  expect(said.stderr).toMatch(/40 submitted, .* 20 delivered/)
})

test('gangan network --for ends after that time, with the report as tables', async () => {
  const { said, ended } = startNetwork(['--for', '200ms'])
  expect(await ended).toEqual([0, null])
  expect(said.stdout).toMatch(
    /^\d\d:\d\d:\d\d of simulated time, seed 1\n\ncarrier +operator +submitted .*\n\noperator +best carrier/,
  )
  expect(said.stdout).toMatch(/\nMTN +one +100.0 % +1.5\n$/)
  expect(said.stderr).toContain('Control-C ends it')
})

test('gangan network check reports all faults of a scenario', async () => {
  expect(await runGangan(['network', 'check', file], {})).toMatchObject({
    code: 0,
    stdout: `${file} is valid: 2 carriers, 1 operator, seed 1.\n`,
  })
  const wrong = join(folder.path, 'wrong.yaml')
  await writeFile(wrong, SCENARIO.replace('MTN', 'M/TN').replace('faked: 1', 'faked: 2'))
  expect(await runGangan(['network', 'check', wrong], {})).toEqual({
    code: 2,
    stdout: '',
    stderr: `gangan: ${wrong}: The scenario has faults:
  operators.0.name: must match pattern "^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$"
  carriers.1.faked: must be <= 1
`,
  })
  await writeFile(wrong, 'operators: [')
  expect((await runGangan(['network', wrong], {})).stderr).toContain('The scenario has a fault:\n  Flow sequence')
  const absent = join(folder.path, 'absent.yaml')
  expect(await runGangan(['network', absent], {})).toMatchObject({
    code: 3,
    stderr: `gangan: ${absent} cannot be used (ENOENT).\n`,
  })
})

test('gangan network configuration prints a configuration that Gangan accepts', async () => {
  const example = await runGangan(['network', 'example'], {})
  expect(example.stdout).toBe(await readFile('network.example.yaml', 'utf8'))
  const own = join(folder.path, 'example.yaml')
  await writeFile(own, example.stdout)
  const { stdout } = await runGangan(['network', 'configuration', own, '--host', 'networks.example'], {})
  expect(stdout).toContain('host: networks.example')
  const configuration = join(folder.path, 'gangan.yaml')
  await writeFile(configuration, stdout)
  const checked = await runGangan(['config', 'check', configuration], {})
  expect(checked.stdout + checked.stderr).toContain('4 carriers, 1 route')
})

test.each([
  [['--for', 'long'], '--for must be a duration of up to 24 days, such as 90s.'],
  [['--acceleration', '0'], '--acceleration must be above 0, at most 100000.'],
  [['--url', 'nowhere', '--key', 'x'], '--url must be a URL, not nowhere.'],
])('gangan network %j reports the error', async (args, sentence) => {
  expect(await runGangan(['network', file, ...args], {})).toEqual({
    code: 2,
    stdout: '',
    stderr: `gangan: ${sentence}\n`,
  })
})
