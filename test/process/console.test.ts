import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'

const PASSWORD = 'a drum that talks'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan

beforeAll(async () => {
  folder = await temporaryFolder()
  gangan = await startGangan({ GANGAN_DATA: folder.path })
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await folder.remove()
})

const linkIn = (text: string) => /http:\S+\/console\/#\/welcome\?token=([\w-]{43})/.exec(text)?.[1]

async function post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(gangan.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a first start', () => {
  test('prints where the console is, and a link that lets the first operator in, once', async () => {
    expect(gangan.output()).toMatch(/Console\s+http:\/\/127\.0\.0\.1:\d+\/console\n/)
    const token = linkIn(gangan.output())
    const wish = { token, email: 'ada@example.com', password: PASSWORD }
    expect(await post('/console/api/welcome', wish)).toMatchObject({
      status: 200,
      body: { user: { role: 'operator' }, organisations: [{ name: 'First organisation' }] },
    })
    expect((await post('/console/api/welcome', wish)).status).toBe(404)
  })

  test('sends a browser from / to the console', async () => {
    const response = await fetch(gangan.url, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console'])
    expect((await fetch(`${gangan.url}/console`)).headers.get('content-type')).toContain('text/html')
  })
})

describe('gangan users', () => {
  const users = (...args: string[]) => runGangan(['users', ...args], { GANGAN_DATA: folder.path })

  test('invite and list', async () => {
    const invited = await users('invite', 'bola@example.com', '--name', 'Bola')
    expect(invited.code).toBe(0)
    const token = linkIn(invited.stdout)
    expect((await post('/console/api/welcome', { token, password: PASSWORD })).body).toMatchObject({
      user: { role: 'owner', name: 'Bola' },
    })
    const operator = await users('invite', 'chi@example.com', '--operator')
    expect((await post('/console/api/welcome/check', { token: linkIn(operator.stdout) })).body).toMatchObject({
      role: 'operator',
    })
    const list = await users('list')
    expect(list.stdout).toMatch(/ada@example\.com\s+active\s+no\s+2\S+\s+\(operator\)/)
    expect(list.stdout).toMatch(/bola@example\.com\s+active\s+no\s+2\S+\s+First organisation/)
    expect(list.stdout).toMatch(/chi@example\.com\s+invited/)
  })

  test('disable, enable and reset', async () => {
    expect((await users('disable', 'bola@example.com')).code).toBe(0)
    const login = () => post('/console/api/login', { email: 'bola@example.com', password: PASSWORD })
    expect((await login()).status).toBe(401)
    expect((await users('enable', 'bola@example.com')).code).toBe(0)
    expect((await login()).status).toBe(200)
    const reset = await users('reset', 'bola@example.com')
    expect((await login()).status).toBe(401)
    const again = { token: linkIn(reset.stdout), password: 'another good one' }
    expect((await post('/console/api/welcome', again)).status).toBe(200)
  })

  test('says in one sentence what it cannot do', async () => {
    const last = await users('disable', 'ada@example.com')
    expect(last).toMatchObject({ code: 1, stderr: 'gangan: This is the last operator.\n' })
    expect(await users('reset', 'nobody@example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no user'),
    })
    expect(await users('invite', 'ada@example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    })
    expect((await users('dance')).code).toBe(1)
  })
})

test('a later start prints no link any more', async () => {
  await gangan.end('SIGTERM')
  gangan = await startGangan({ GANGAN_DATA: folder.path })
  expect(gangan.output()).toContain('/console\n')
  expect(linkIn(gangan.output())).toBeUndefined()
})
