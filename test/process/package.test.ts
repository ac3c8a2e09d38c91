import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
/** Packages come from the cache of `npm install`, if they are still there. */
const INSTALL = ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress']
/** Unpacking PostgreSQL takes long on a busy disk. */
const PATIENCE_MS = 180_000

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let packed: string[]

beforeAll(async () => {
  folder = await temporaryFolder()
  // Built before the tests.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path])
  const [pack] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  packed = pack?.files.map(({ path }) => path) ?? []
  await run('npm', [...INSTALL, join(folder.path, pack?.filename ?? '')], { cwd: folder.path })
}, PATIENCE_MS)
afterAll(() => folder.remove())

test('the package contains what is run, and nothing that only builds or tests it', () => {
  const tops = new Set(packed.map((path) => path.split('/')[0]))
  const texts = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'README.md', 'gangan.example.yaml', 'network.example.yaml']
  const wanted = [
    'assets',
    'bin',
    'deploy',
    'dist',
    'docs',
    'functions',
    'migrations',
    'openapi.json',
    'package.json',
    'presets',
  ]
  expect([...tops].sort()).toEqual(wanted.concat(texts).sort())
  for (const path of [
    'dist/console/index.html',
    'deploy/gangan.service',
    'deploy/prometheus/alerts.yaml',
    'docs/operating.md',
  ]) {
    expect(packed).toContain(path)
  }
  expect(packed.filter((path) => path.endsWith('.map') || path.includes('.test.'))).toEqual([])
  const installed = readdirSync(join(folder.path, 'node_modules'))
  expect(installed).toContain('fastify')
  expect(['vitest', 'typescript', 'vite', 'react'].filter((name) => installed.includes(name))).toEqual([])
})

test('in an empty folder it serves, and the first message arrives', { timeout: PATIENCE_MS }, async () => {
  const child = spawn(join(folder.path, 'node_modules/.bin/gangan'), {
    cwd: folder.path,
    env: { PATH: process.env.PATH, PORT: '0', GANGAN_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await until('the banner', () => /Gangan is ready[\s\S]*\n\n/.test(output), PATIENCE_MS)
  const url = /http:\/\/[\w.[\]:]+/.exec(output)?.[0] ?? ''
  const call = caller(url, /gg_live_\w+/.exec(output)?.[0] ?? '')
  expect((await call('POST', '/sms/send', { recipients: '08031234567', content: 'From a package' })).status).toBe(200)
  await until('the text on the phone', async () => {
    const { body } = await call<{ messages: { text: string }[] }>('GET', '/sandbox/messages?recipient=08031234567')
    return body.messages.some(({ text }) => text === 'From a package')
  })
  for (const path of ['/console', '/docs', '/docs/runbook', '/docs/probes', '/openapi.json', '/ready']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(readdirSync(folder.path)).toContain('data')
})

test(
  'docs/install/systemd.md can be followed, and the installed command uses the settings',
  { timeout: PATIENCE_MS },
  async () => {
    const root = join(folder.path, 'machine')
    const bin = join(root, 'stubs')
    const inRoot = (text: string): string =>
      text
        .replaceAll(/\/(?=opt\/|etc\/|var\/lib\/|usr\/local\/)/g, `${root}/`)
        .replaceAll('/usr/bin/node', process.execPath)
    for (const made of ['stubs', 'opt/gangan', 'etc/systemd/system', 'var/lib/gangan', 'usr/local/bin']) {
      await mkdir(join(root, made), { recursive: true })
    }
    await symlink(join(folder.path, 'node_modules'), join(root, 'opt/gangan/node_modules'))
    // What would change this machine; `runuser -u gangan --` runs the rest.
    for (const name of ['useradd', 'npm', 'systemctl', 'journalctl']) {
      await writeFile(join(bin, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 })
    }
    await writeFile(join(bin, 'runuser'), '#!/bin/sh\nshift 3; exec "$@"\n', { mode: 0o755 })
    const env = { PATH: `${bin}:${process.env.PATH}` }

    const [, block = ''] = /```sh\n(useradd[\s\S]*?)```/.exec(readFileSync('docs/install/systemd.md', 'utf8')) ?? []
    const { stdout: group } = await run('id', ['-g'])
    const { stdout } = await run('sh', ['-ec', inRoot(block).replace('-g gangan', `-g ${group.trim()}`)], { env })
    expect(stdout).toContain(`npm install --prefix ${root}/opt/gangan --omit=dev gangan\n`)
    expect(stdout).toContain('systemctl enable --now gangan\n')

    const unit = readFileSync(join(root, 'etc/systemd/system/gangan.service'), 'utf8')
    const [, started = ''] = /^ExecStart=\S+ (\S+) serve$/m.exec(unit) ?? []
    expect(existsSync(inRoot(started))).toBe(true)

    const command = join(root, 'usr/local/bin/gangan')
    await writeFile(command, inRoot(readFileSync(command, 'utf8')))
    // Comments, empty values and blanks, as in .env.example.
    const settings = readFileSync('.env.example', 'utf8').replace(/^GANGAN_DATA=.*\n/m, '')
    await writeFile(join(root, 'etc/gangan/environment'), settings.replace('GANGAN_COUNTRY=NG', 'GANGAN_COUNTRY=KE'))
    expect((await run(command, ['migrate'], { env })).stdout).toContain('Applied 0001_schema')
    expect(readdirSync(join(root, 'var/lib/gangan'))).toContain('postgres')
    const refused = await run(command, ['keys', 'list'], { env }).catch((fault: Error) => fault.message)
    expect(refused).toContain('gangan: ') // no organisation yet
  },
)

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the unit and rates it as safe', async () => {
  const unit = join(folder.path, 'gangan.service')
  const text = readFileSync('deploy/gangan.service', 'utf8').replaceAll('/usr/bin/node', process.execPath)
  await writeFile(unit, text.replaceAll('/opt/gangan/', `${folder.path}/`))
  expect((await run('systemd-analyze', ['verify', unit])).stderr).toBe('')
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])
  expect(stdout).toContain('Overall exposure level for gangan.service: 1.6 OK')
})
