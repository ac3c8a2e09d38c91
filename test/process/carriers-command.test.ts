import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { spawnGangan, startGangan, type Gangan } from '../support/process.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

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

test('the first real carrier ends the sandbox; later changes take effect within two seconds, and its end needs a restart', async () => {
  expect(await command(['carriers', 'create'], smppCarrier(1))).toMatch(/, and the service restarts itself\.$/)
  expect(await command(['routes', 'create'], route(1))).toMatch(/in every process within two seconds\.$/)
  expect(await command(['routes', 'update'], route(2))).toMatch(/is changed, in every process within two seconds\.$/)
  await until('the service to be live', async () => {
    const processes = await spawnGangan(['status', '--json'], { GANGAN_DATA: folder.path })
    return processes.stdout.includes('mtn')
  })
  expect(await command(['apply'], { carriers: [], routes: [] })).toMatch(/once the service has been restarted, because/)
})
