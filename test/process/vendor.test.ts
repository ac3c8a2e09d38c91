import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VendorEmulator } from '../../src/emulators/vendor/vendor.ts'
import { temporaryFolder } from '../support/folder.ts'
import { routeTo, startVendor } from '../support/http-vendor.ts'
import { runGangan } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let vendor: VendorEmulator
let env: Record<string, string>

async function configure(more: object = {}): Promise<void> {
  const settings = {
    public_url: 'https://gangan.example',
    carriers: [{ ...vendor.settings('vendor'), ...more }],
    routes: [routeTo('vendor')],
  }
  await writeFile(env.GANGAN_CONFIG ?? '', JSON.stringify(settings))
}

beforeAll(async () => {
  folder = await temporaryFolder()
  vendor = await startVendor('africastalking')
  env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: join(folder.path, 'gangan.json') }
  await configure()
})
afterAll(async () => {
  await vendor.close()
  await folder.remove()
})

test('gangan carriers check tests the credentials, and sends a message with --to', async () => {
  expect(await runGangan(['carriers', 'check', 'vendor'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The balance is 1785.5'),
  })
  expect(vendor.taken).toHaveLength(0)
  const sent = await runGangan(['carriers', 'check', 'vendor', '--to', '08031234567', '--text', 'Hello'], env)
  expect(sent.stdout).toContain('"kind": "accepted"')
  expect(sent.stdout).toContain('"cost": 0.8')
  expect(vendor.taken).toMatchObject([{ to: '2348031234567', text: 'Hello' }])
})

test('and reports the error', async () => {
  const { credentials } = vendor.settings('vendor') as unknown as { credentials: Record<string, string> }
  await configure({ credentials: { ...credentials, api_key: 'wrong' } })
  const refused = await runGangan(['carriers', 'check', 'vendor'], env)
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('does not take the credentials: HTTP 401') })
  await configure()
  expect(await runGangan(['carriers', 'check', 'unknown'], env)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('There is no carrier unknown of the kind http; there are vendor.'),
  })
})

test('gangan carriers replay shows the interpretation of a recorded report', async () => {
  const body = 'id=ATXid_1&status=Failed&phoneNumber=%2B2348031234567&failureReason=UserDoesNotExist'
  const whole = join(folder.path, 'whole.http')
  const address = '/carriers/http/vendor/reports?secret=a-word-for-the-emulator'
  const head = `POST ${address} HTTP/1.1\r\nhost: gangan.example\r\ncontent-type: application/x-www-form-urlencoded`
  await writeFile(whole, `${head}\r\n\r\n${body}`)
  const replayed = await runGangan(['carriers', 'replay', 'vendor', whole], env)
  expect(replayed.stdout).toContain("It is known to be from Africa's Talking.")
  expect(replayed.stdout).toMatch(/report +ATXid_1 +\+2348031234567 +undelivered +UserDoesNotExist/)

  const bare = join(folder.path, 'bare.txt')
  await writeFile(bare, 'id=ATXid_1&status=Buffered')
  const ignored = await runGangan(['carriers', 'replay', 'vendor', bare], env)
  expect(ignored.stdout).toContain('its signature cannot be verified')
  expect(ignored.stdout).toMatch(/ignored +Buffered/)
  expect(await runGangan(['carriers', 'replay', 'vendor', join(folder.path, 'none')], env)).toMatchObject({ code: 3 })
})
