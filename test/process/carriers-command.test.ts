import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { spawnGangan, startGangan, type Gangan } from '../support/process.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'

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

async function command(words: string[], entry: object): Promise<string> {
  const file = join(folder.path, 'entry.json')
  await writeFile(file, JSON.stringify(entry))
  const { code, stdout, stderr } = await spawnGangan([...words, file], { GANGAN_DATA: folder.path })
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trim()
}

const route = (rate_per_s: number) => ({ name: 'home', channel: 'sms', prefix: '234', carrier: 'mtn', rate_per_s })

test('the first real carrier, and what follows it, take effect with a restart of the service; later changes within two seconds', async () => {
  expect(await command(['carriers', 'create'], smppCarrier(1))).toMatch(/once the service has restarted, because/)
  expect(await command(['routes', 'create'], route(1))).toMatch(
    /or once it has restarted if it has not since the sandbox began or ended\.$/,
  )
  await gangan.end('SIGTERM')
  gangan = await startGangan({ GANGAN_DATA: folder.path })
  expect(await command(['routes', 'update'], route(2))).toMatch(/is changed, in every process within two seconds\.$/)
})
