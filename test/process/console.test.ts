import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  test('prints the address of the console, and a link for the first operator, which works once', async () => {
    expect(gangan.output()).toMatch(/Console\s+http:\/\/127\.0\.0\.1:\d+\/console\n/)
    const token = linkIn(gangan.output())
    const wish = { token, email: 'ada@example.com', password: PASSWORD }
    expect(await post('/console/api/welcome', wish)).toMatchObject({
      status: 200,
      body: { user: { role: 'operator' }, organisations: [{ name: 'First organisation' }] },
    })
    expect((await post('/console/api/welcome', wish)).status).toBe(404)
  })

  test('redirects a browser from / to the console', async () => {
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
    expect(list.stdout).toMatch(/ada@example\.com\s+active\s+password\s+no\s+2\S+\s+\(operator\)/)
    expect(list.stdout).toMatch(/bola@example\.com\s+active\s+password\s+no\s+2\S+\s+First organisation/)
    expect(list.stdout).toMatch(/chi@example\.com\s+invited/)
  })

  test('enter signs an operator in without a password, and no other user', async () => {
    const entered = await users('enter', 'ada@example.com')
    expect(entered).toMatchObject({ code: 0, stderr: expect.stringContaining('lets in for one hour') })
    const token = linkIn(entered.stdout)
    expect((await post('/console/api/welcome/check', { token })).body).toMatchObject({ purpose: 'enter' })
    expect((await post('/console/api/welcome', { token, password: PASSWORD })).status).toBe(404)
    expect((await post('/console/api/enter', { token })).body).toMatchObject({ user: { email: 'ada@example.com' } })
    expect((await post('/console/api/enter', { token })).status).toBe(404)
    expect(await users('enter', 'bola@example.com')).toMatchObject({
      code: 4,
      stderr: 'gangan: bola@example.com is no operator; only operators come in so.\n',
    })
  })

  test('with passwords disabled, say where to sign in, and return no link to choose one', async () => {
    const path = join(folder.path, 'gangan.yaml')
    const provider = 'name: a, label: A, issuer: "https://a.example", client_id: a, existing_users: ["*"]'
    await writeFile(path, `sign_in: { password: false, providers: [{ ${provider} }] }`)
    const env = { GANGAN_DATA: folder.path, GANGAN_CONFIG: path }
    const invited = await runGangan(['users', 'invite', 'dayo@example.com', '--operator'], env)
    expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining('Passwords are switched off') })
    expect(linkIn(invited.stdout)).toBeUndefined()
    expect(linkIn((await runGangan(['users', 'enter', 'dayo@example.com'], env)).stdout)).toMatch(/^[\w-]{43}$/)
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

  test('reports errors in one sentence', async () => {
    const last = await users('disable', 'ada@example.com')
    expect(last).toMatchObject({ code: 2, stderr: 'gangan: This is the last operator.\n' })
    expect(await users('reset', 'unknown@example.com')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no user'),
    })
    expect(await users('invite', 'bola@example.com')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already'),
    })
    expect((await users('dance')).code).toBe(2)
  })
})

test('a later start prints no link any more', async () => {
  await gangan.end('SIGTERM')
  gangan = await startGangan({ GANGAN_DATA: folder.path })
  expect(gangan.output()).toContain('/console\n')
  expect(linkIn(gangan.output())).toBeUndefined()
})
