import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { findProcesses } from '../../src/db/embedded/process.ts'
import { LOCKS } from '../../src/db/locks.ts'
import { transaction } from '../../src/db/transaction.ts'
import { urlOf } from '../support/address.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { beginGangan, MAIN, runGangan, spawnGangan, startGangan, type Gangan } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { sendTrackedLink } from '../support/tracked-link.ts'
import { until } from '../support/until.ts'

const MESSAGE = { recipients: '08031234567', content: 'Hello' }

describe('on an embedded database', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let gangan: Gangan
  let key: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    gangan = await startGangan({ GANGAN_DATA: folder.path, GANGAN_CREDIT: '500', GANGAN_LOG: 'info' })
    key = gangan.key ?? ''
  })
  afterAll(async () => {
    await gangan.end('SIGTERM')
    await folder.remove()
  })

  test('prints its address, the mode, and the first key', () => {
    expect(gangan.output()).toMatch(/Sandbox mode/)
    expect(gangan.output()).toMatch(/Base URL\s+http:\/\/127\.0\.0\.1:\d+\n/)
    expect(key).toMatch(/^gg_live_[0-9A-Za-z]{49}$/)
  })

  test('logs each migration that it applies', () => {
    const files = readdirSync(new URL('../../migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))
    for (const file of files) {
      expect(gangan.output()).toContain(`"applied":"${file.slice(0, -4)}","msg":"the schema was migrated"`)
    }
  })

  test('serves, and the balance is the given credit', async () => {
    const { body } = await caller(gangan.url, key)<{ meta: object }>('POST', '/sms/send', MESSAGE)
    expect(body.meta).toMatchObject({ estimate: { available_balance: 496 } })
  })

  test('tracks links at the port that the system has chosen', async () => {
    const short = await sendTrackedLink(caller(gangan.url, key), 'https://shop.example/sale')
    expect(short.startsWith(`${gangan.url}/l/`)).toBe(true)
    const followed = await fetch(short, { redirect: 'manual' })
    expect([followed.status, followed.headers.get('location')]).toEqual([302, 'https://shop.example/sale'])
  })

  test('rejects a second process on the same folder with one sentence', async () => {
    const second = await spawnGangan(['serve'], { GANGAN_DATA: folder.path, PORT: '0' })
    expect(second).toMatchObject({ code: 5, stdout: '' })
    expect(second.stderr).toBe(`gangan: The data folder ${folder.path} is in use by process ${gangan.pid}.\n`)
  })

  describe('serves command-line commands while it runs', () => {
    const command = (...args: string[]) => runGangan(args, { GANGAN_DATA: folder.path })
    let id: string

    test('organisations', async () => {
      const made = await command('organisations', 'create', 'Second', '--credit', '12.5', '--sender', 'Two')
      expect(made).toMatchObject({ code: 0, stderr: '' })
      id = made.stdout.trim()
      const list = await command('organisations', 'list')
      expect(list.stdout).toMatch(new RegExp(`${id}  live  12\\.5 NGN\\s+0\\s+active\\s+Second\n`))
      expect(list.stdout).toMatch(/test {2}12\.5 NGN\s+0\s+active\s+Second \(test\)/)
    })

    test('keys: created, listed without their secret, revoked within a second', async () => {
      const issued = await command('keys', 'create', '--organisation', id, '--scopes', 'sms', '--name', 'shop')
      const call = caller(gangan.url, issued.stdout.trim())
      expect((await call('POST', '/sms/send', MESSAGE)).status).toBe(200)
      const test_key = await command('keys', 'create', '--organisation', id, '--test')
      expect(test_key.stdout).toMatch(/^gg_test_/)
      const keys = await command('keys', 'list', '--organisation', id)
      expect(keys.stdout).toContain('shop')
      expect(keys.stdout).not.toContain(issued.stdout.trim())
      const key_id = /^(\S+) .* shop$/m.exec(keys.stdout)?.[1] ?? ''
      const login = await command('keys', 'twilio', key_id, '--organisation', id)
      const [, sid = '', token = ''] =
        /^Account SID (AC[0-9a-f]{32})\nAuth token {2}([0-9a-f]{32})\n$/.exec(login.stdout) ?? []
      const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`
      const listed = await fetch(`${gangan.url}/2010-04-01/Accounts/${sid}/Messages.json`, {
        headers: { authorization },
      })
      expect(listed.status).toBe(200)
      expect(await command('keys', 'revoke', key_id, '--organisation', id)).toMatchObject({ code: 0 })
      expect(await command('keys', 'twilio', key_id, '--organisation', id)).toMatchObject({ code: 3 })
      await until('the key to stop', async () => (await call('GET', `/sms/${id}`)).status === 401)
      expect(await command('keys', 'revoke', key_id, '--organisation', id)).toMatchObject({ code: 3 })
    })

    test('hooks: created, used, listed without their secret, removed', async () => {
      const twin = ['--organisation', id, '--test']
      const made = await command('hooks', 'add', 'logto', ...twin)
      const [address = '', secret = ''] = made.stdout.split('\n')
      const name = address.replace(/.*\//, '')
      const body = JSON.stringify({ to: '+2348031234567', type: 'SignIn', payload: { code: '561166' } })
      const post = async () => {
        const headers = { authorization: secret, 'content-type': 'application/json' }
        return (await fetch(`${gangan.url}/hooks/${name}`, { method: 'POST', headers, body })).status
      }
      expect(await post()).toBe(200)
      const list = await command('hooks', 'list', ...twin)
      expect(list.stdout).toContain(name)
      expect(list.stdout).not.toContain(secret)
      expect(await command('hooks', 'remove', name, ...twin)).toMatchObject({ code: 0 })
      expect(await post()).toBe(404)
      expect(await command('hooks', 'remove', name, ...twin)).toMatchObject({ code: 3 })
      expect(await command('hooks', 'add', 'klingon')).toMatchObject({ code: 2 })
    })

    test('smpp: accounts are created, listed without their password, removed', { timeout: 120_000 }, async () => {
      const twin = ['--organisation', id, '--test']
      const made = await command('smpp', 'add', 'shop', '--networks', '10.0.0.0/8', '--binds', '2', ...twin)
      expect(made.stdout).toMatch(/^shop\n[0-9A-Za-z]{8}\n$/)
      expect(made.stderr).toContain('smpp_server is not in the configuration')
      expect(await command('smpp', 'add', 'shop', '--organisation', id)).toMatchObject({ code: 2 })
      expect(await command('smpp', 'add', 'other', '--networks', '10.0.0.1/8', ...twin)).toMatchObject({ code: 2 })
      const list = await command('smpp', 'list', ...twin)
      expect(list.stdout).toMatch(/shop +0 of 2 +500\/s +100 +0 +10\.0\.0\.0\/8/)
      expect(list.stdout).not.toContain(made.stdout.split('\n')[1])
      expect(await command('smpp', 'remove', 'shop', '--organisation', id)).toMatchObject({ code: 3 })
      expect(await command('smpp', 'remove', 'shop', ...twin)).toMatchObject({ code: 0 })
      expect((await command('smpp', 'list', ...twin)).stdout).not.toContain('shop')
    })

    test('import kannel prints the converted settings, and lists the rest', async () => {
      const file = join(folder.path, 'kannel.conf')
      const link = ['group = smsc', 'smsc = smpp', 'smsc-id = mtn', 'host = a.example', 'port = 2775', 'wait-ack = 3']
      await writeFile(file, [...link, 'smsc-username = us', 'smsc-password = pw'].join('\n'))
      const { code, stdout, stderr } = await command('import', 'kannel', file)
      expect(code).toBe(0)
      expect(stdout.split('\n').slice(0, 9)).toEqual([
        '# Made of a kannel.conf by gangan import kannel.',
        'carriers:',
        '  - kind: smpp',
        '    name: mtn',
        '    host: a.example',
        '    port: 2775',
        '    system_id: us',
        '    password: pw',
        'routes:',
      ])
      expect(stderr).toContain('wait-ack = 3: no counterpart (carrier mtn)')
      expect(await command('import', 'kannel', `${file}.none`)).toMatchObject({ code: 3, stdout: '' })
      await writeFile(file, 'nothing')
      expect(await command('import', 'kannel', file)).toMatchObject({ code: 4, stdout: '' })
    })

    test('callbacks: the secret, its rotation and retirement', async () => {
      const secret = await command('callbacks', 'secret')
      expect(secret.stdout).toMatch(/^whsec_\S+\n$/)
      const rotated = await command('callbacks', 'rotate')
      expect(rotated.stdout.split('\n')).toEqual([expect.stringMatching(/^whsec_/), secret.stdout.trim(), ''])
      const retired = await command('callbacks', 'retire')
      expect(retired.stdout).toBe(`${rotated.stdout.split('\n')[0]}\n`)
    })

    test('callbacks: a secret sealed with another pepper is reported, and a rotation creates a new one', async () => {
      const otherwise = (...args: string[]) =>
        runGangan(args, { GANGAN_DATA: folder.path, GANGAN_PEPPER: 'quite another pepper' })
      const secret = await otherwise('callbacks', 'secret', '--organisation', id)
      expect(secret).toMatchObject({ code: 4, stdout: '' })
      expect(secret.stderr).toMatch(
        /^gangan: The secret was sealed with another pepper\. .*gangan callbacks rotate\.\n$/,
      )
      expect((await otherwise('callbacks', 'rotate', '--organisation', id)).stdout).toMatch(/^whsec_\S+\n$/)
    })

    test('balance: top-ups, corrections, audit', async () => {
      expect((await command('balance', 'top-up', '100', '--organisation', id)).stdout).toContain('108.5')
      expect((await command('balance', 'top-up', '-8.5', '--organisation', id)).stdout).toContain('100')
      const too_much = await command('balance', 'top-up', '-101', '--organisation', id)
      expect(too_much).toMatchObject({
        code: 4,
        stderr: 'gangan: The balance cannot fall further than the credit limit.\n',
      })
      const shown = await command('balance', 'show', '--organisation', id)
      expect(shown.stdout).toMatch(/^100 NGN\n/)
      expect(shown.stdout).toMatch(/adjustment\s+-8\.5\s+100/)
      expect(await command('balance', 'audit')).toMatchObject({ code: 0 })
    })
  })

  test('stops gracefully on SIGTERM, also if repeated, and keeps everything for the next start', async () => {
    process.kill(gangan.pid, 'SIGINT')
    process.kill(gangan.pid, 'SIGTERM')
    expect(await gangan.end('SIGTERM')).toBe(0)
    gangan = await startGangan({ GANGAN_DATA: folder.path })
    expect(gangan.key).toBeUndefined()
    const { body } = await caller(gangan.url, key)<{ balance: number }>('GET', '/balance')
    expect(body.balance).toBe(492)
  })

  test('SIGTERM aborts a callback that hangs and still ends with 0; the next start delivers it', async () => {
    const receiver = await startReceiver()
    receiver.answer = () => new Promise(() => {})
    await caller(gangan.url, key)('POST', '/sms/send', { ...MESSAGE, callback: receiver.url })
    await receiver.wait(1)
    expect(await gangan.end('SIGTERM')).toBe(0)
    receiver.answer = () => 200
    gangan = await startGangan({ GANGAN_DATA: folder.path })
    const [first, second] = await receiver.wait(2)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await receiver.close()
  })

  test('an audit from the command line starts the database if nothing else runs', async () => {
    await gangan.end('SIGTERM')
    expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: folder.path })).toMatchObject({ code: 0 })
    gangan = await startGangan({ GANGAN_DATA: folder.path })
  })
})

describe('stopped during its start', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder.remove())

  /** Processes of a PostgreSQL in the folder. */
  const left = (): number[] => findProcesses((command) => command.includes(folder.path))

  test('and creates its database: ends with 0, leaves nothing behind, and starts the next time', async () => {
    const first = beginGangan({ GANGAN_DATA: folder.path })
    await until('initdb to run', () => left().length > 0, 60_000)
    expect(await first.end('SIGTERM')).toBe(0)
    expect(first.output()).toBe('')
    await until('all of it to be deleted', () => left().length === 0)
    const second = await startGangan({ GANGAN_DATA: folder.path })
    expect(second.key).toMatch(/^gg_live_/)
    expect(await second.end('SIGTERM')).toBe(0)
  }, 120_000)

  test('a stop while waiting for the migration of another process ends with 0', async () => {
    const database = await freshDatabase()
    let free = (): void => {}
    const freed = new Promise<void>((resolve) => (free = resolve))
    const other = transaction(database.db, async (tx) => {
      await tx`select pg_advisory_xact_lock(${LOCKS.schema})`
      await freed
    })
    const waiting = () => database.db`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    const gangan = beginGangan({ DATABASE_URL: database.url })
    await until('it to wait', async () => (await waiting()).length > 0, 60_000)
    expect(await gangan.end('SIGTERM')).toBe(0)
    expect(gangan.output()).toBe('')
    free()
    await other
    await database.drop()
  }, 120_000)
})

test('npm start passes SIGTERM on, and ends with 0', async () => {
  const folder = await temporaryFolder()
  const child = spawn('npm', ['start'], { env: { ...process.env, GANGAN_DATA: folder.path, PORT: '0' } })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await until('the banner', () => output.includes('Gangan is ready'), 50_000)
  child.kill('SIGTERM')
  await once(child, 'close')
  expect(child.exitCode).toBe(0)
  expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: folder.path })).toMatchObject({ code: 0 })
  await folder.remove()
})

describe('on a server named by DATABASE_URL', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  test('two processes share it: one accepts, the other submits', async () => {
    const env = { DATABASE_URL: database.url, GANGAN_API_KEY: 'a key of my own' }
    const http = await startGangan(env, ['--http'])
    const worker = await startGangan(env, ['--worker'])
    expect(worker.output()).toContain('answers no HTTP')
    const call = caller(http.url, 'a key of my own')
    const { body } = await call<{ id: string }>('POST', '/sms/send', MESSAGE)
    await until('the other process to deliver it', async () => {
      const message = await call<{ deliveries: { status: string }[] }>('GET', `/sms/${body.id}`)
      return message.body.deliveries[0]?.status === 'delivered'
    })
    expect(await http.end('SIGTERM')).toBe(0)
    expect(await worker.end('SIGTERM')).toBe(0)
  })

  test('logs a line of JSON for every request, on every path', async () => {
    const env = { DATABASE_URL: database.url, GANGAN_API_KEY: 'a key of my own', GANGAN_LOG: 'info' }
    const http = await startGangan(env, ['--http'])
    const call = caller(http.url, 'a key of my own')
    await call('POST', '/sms/send', MESSAGE, { 'x-request-id': 'a:plain.one' })
    await call('GET', '/sms/not-an-id', undefined, { 'x-request-id': '"}' })
    expect(await http.end('SIGTERM')).toBe(0)
    const lines = http
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request')
    const fields = ['level', 'time', 'request_id', 'method', 'route', 'status', 'ms', 'organisation_id', 'msg']
    expect(lines.map((line) => Object.keys(line))).toEqual([fields, fields])
    expect(lines).toMatchObject([
      { level: 30, request_id: 'a:plain.one', method: 'POST', route: '/sms/send', status: 200 },
      {
        level: 30,
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: 'GET',
        route: '/sms/:id',
        status: 404,
      },
    ])
  })
})

describe('says in one sentence, and does not end with 0 or 1,', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const refusal = async (env: Record<string, string>, run = spawnGangan): Promise<string> => {
    const { code, stderr } = await run(['serve'], { PORT: '0', ...env })
    expect(code).toBeGreaterThan(1)
    return stderr
  }

  test('that the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sentence = await refusal({ DATABASE_URL: database.url, PORT: String(port), GANGAN_CREDIT: '1' })
    expect(sentence).toBe(`gangan: Port ${port} on 127.0.0.1 is taken; set PORT to another one.\n`)
    const figures = await refusal({ DATABASE_URL: database.url, GANGAN_METRICS_PORT: String(port) })
    expect(figures).toContain('GANGAN_METRICS_PORT')
    server.close()
    await once(server, 'close')
    // The first start that serves prints the key, and its credit applies.
    const gangan = await startGangan({ DATABASE_URL: database.url, PORT: String(port), GANGAN_CREDIT: '500' })
    expect(gangan.url).toBe(`http://127.0.0.1:${port}`)
    expect((await caller(gangan.url, gangan.key ?? '')('GET', '/balance')).body).toMatchObject({ balance: 500 })
    expect(await gangan.end('SIGTERM')).toBe(0)
  }, 120_000)

  test('that the server cannot be reached', async () => {
    expect(await refusal({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toMatch(
      /^gangan: The database server 127\.0\.0\.1:1\/none cannot be used \(no server accepts connections there: ECONNREFUSED\); check DATABASE_URL\.\n$/,
    )
  })

  test('that the database has no tables yet', async () => {
    const { code, stdout, stderr } = await runGangan(['keys', 'list'], { DATABASE_URL: urlOf(inject('administrator')) })
    const sentence = 'The database does not have the schema of this version yet; run gangan migrate.'
    expect({ code, stdout, stderr }).toEqual({ code: 5, stdout: '', stderr: `gangan: ${sentence}\n` })
  })

  test('that HOST has no address', async () => {
    const sentence = 'gangan: HOST: there is no address for the name no-such-host.invalid.\n'
    expect(await refusal({ DATABASE_URL: database.url, HOST: 'no-such-host.invalid' })).toBe(sentence)
  })

  test('that the password of the database is wrong', async () => {
    const url = new URL(urlOf(inject('administrator')))
    url.password = 'wrong'
    const sentence = await refusal({ DATABASE_URL: url.href })
    expect(sentence).toMatch(
      /^gangan: The database server \S+ cannot be used \(the password is wrong: 28P01\); check DATABASE_URL\.\n$/,
    )
  })

  test('that the limit of open files is too low', async () => {
    const folder = await temporaryFolder()
    const child = spawn('sh', ['-c', `ulimit -n 40; exec ${process.execPath} ${MAIN} serve`], {
      env: { PATH: process.env.PATH, GANGAN_DATA: folder.path, PORT: '0' },
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    await once(child, 'close')
    expect(child.exitCode).toBe(5)
    expect(said).toMatch(/^gangan: This process may not open more files \(limit: 40\)[^\n]*\n$/)
    await folder.remove()
  })

  test('that the data folder is not a folder', async () => {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'file')
    await writeFile(file, '')
    expect(await refusal({ GANGAN_DATA: file })).toMatch(/^gangan: .*\n$/)
    await folder.remove()
  })

  test('all errors of the configuration', async () => {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'gangan.yaml')
    await writeFile(file, 'prices: [{channel: fax, price: 1}]\nroutes: 5\n')
    const sentence = await refusal({ GANGAN_CONFIG: file, PORT: 'x' }, runGangan)
    expect(sentence).toContain('prices.0.channel: must be one of sms, whatsapp')
    expect(sentence).toContain('routes')
    expect(sentence).toContain('PORT')
    await writeFile(file, 'a: [')
    expect(await refusal({ GANGAN_CONFIG: file }, runGangan)).toContain(file)
    expect(await refusal({ GANGAN_CONFIG: join(folder.path, 'none') }, runGangan)).toContain('ENOENT')
    await folder.remove()
  })

  test('unknown arguments', async () => {
    expect(await spawnGangan(['dance'], {})).toMatchObject({ code: 2, stderr: expect.stringContaining('dance') })
    expect(await runGangan(['serve', '--loud'], {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--loud'),
    })
    const help = await spawnGangan(['--help'], {})
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('Usage: gangan <command>')
  })
})
