import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Post } from '../../src/carriers/http/post-scopes.ts'
import { makeVendor } from '../../src/carriers/http/vendor.ts'
import { newId } from '../../src/values/id.ts'
import { temporaryFolder } from '../support/folder.ts'
import { routeTo, startVendor } from '../support/http-vendor.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A vendor that never sends reports is queried for them. */

const TO = '2348031234567'

/** A vendor without reports that is queried after a second, and a process that accepts messages for it. */
async function open() {
  const folder = await temporaryFolder()
  const vendor = await startVendor('smsgate', () => ({ made: 'taken', ends: ['delivered'] }))
  const file = join(folder.path, 'asked.yaml')
  const preset = await readFile(new URL('../../presets/smsgate.yaml', import.meta.url), 'utf8')
  await writeFile(file, preset.replace('after_s: [120, 1800, 21600]', 'after_s: [1, 3, 9]'))
  const { preset: _named, ...carrier } = vendor.settings('vendor')
  const settingsWith = (more: object) => ({
    settings: { carriers: [{ ...carrier, file, ...more }], routes: [routeTo('vendor')] },
    config: { sandbox: true },
  })
  const accepting = await openService({ ...settingsWith({}), workers: false })
  onTestFinished(async () => {
    await accepting.close()
    await vendor.close()
    await folder.remove()
  })
  const work = (more: object = {}): Promise<TestService> => openService({ ...settingsWith(more), beside: accepting })
  const send = async (): Promise<string> => {
    const body = { recipients: TO, content: 'Hello' }
    const answer = await accepting.call<{ id: string }>('POST', '/sms/send', body)
    expect(answer.status).toBe(200)
    return answer.body.id
  }
  const arrives = (id: string) =>
    until(
      'it to be delivered',
      async () =>
        (await accepting.db`select 1 from deliveries where message_id = ${id} and status = 'delivered'`).length > 0,
      30_000,
    )
  return { vendor, work, send, arrives }
}

test('a vendor is queried by its ids, with any prefix', async () => {
  const { vendor, work, send, arrives } = await open()
  const worker = await work()
  onTestFinished(() => worker.close())
  const ids: string[] = []
  while (!vendor.taken.at(-1)?.own_id?.startsWith('0')) {
    ids.push(await send())
    await until('it to be accepted', () => vendor.taken.length === ids.length)
  }
  for (const id of ids) await arrives(id)
  expect(vendor.requests).toBe(ids.length)
})

test('also after `report_due_h` was reduced', async () => {
  const { vendor, work, send, arrives } = await open()
  for (const report_due_h of [72, 24]) {
    const worker = await work({ report_due_h })
    try {
      await arrives(await send())
    } finally {
      await worker.close()
    }
  }
  expect(vendor.requests).toBe(2)
})

test('a delivery known by our reference is due like all others of the carrier', () => {
  const ref = [newId(), newId(), TO, 1].join('.')
  const body = { results: [{ messageId: 'm-1', to: TO, callbackData: ref, status: { groupName: 'PENDING' } }] }
  const post: Post = {
    url: '/carriers/http/vendor/reports',
    headers: { 'content-type': 'application/json' },
    raw: Buffer.from(JSON.stringify(body)),
    ip: '192.0.2.1',
  }
  const credentials = { api_key: 'a key', report_secret: 'a-word-of-16-characters' }
  const settings = { kind: 'http' as const, name: 'vendor', preset: 'infobip', credentials, options: {}, networks: [] }
  const dueIn = (report_due_h?: number) => {
    const vendor = makeVendor({ ...settings, ...(report_due_h && { report_due_h }) }, 'https://gangan.example')
    const { known } = vendor.posts.read('reports', post, 'https://gangan.example', 'NG')
    return known.map(({ report_due_s }) => report_due_s / 3_600)
  }
  expect(dueIn(100)).toEqual([100])
  expect(dueIn()).toEqual([72])
})
