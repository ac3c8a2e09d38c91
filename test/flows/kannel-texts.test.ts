import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasKannel, startKannel, type Kannel } from '../../bench/kannel.ts'
import { routeTo } from '../support/http-vendor.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const SECRET = 'a-long-word-of-our-own-choice'
const preset = readFileSync(new URL('../../presets/kannel.yaml', import.meta.url), 'utf8')

/**
 * Debian's Kannel between a message centre and us, with the sms-service that the preset recommends. Skipped, with a
 * note, without the package `kannel`.
 */
describe.skipIf(!hasKannel())('an inbound text through Kannel', () => {
  let service: TestService
  let kannel: Kannel
  let smsc: NpmSmsc

  beforeAll(async () => {
    smsc = await startNpmSmsc()
    const credentials = { username: 'bench', password: 'bench', report_secret: SECRET }
    const carrier = { kind: 'http', name: 'kannel', preset: 'kannel', credentials }
    service = await openService({ settings: { carriers: [carrier], routes: [routeTo('kannel')] } })
    const [, recommended = ''] = /get-url = "<[^>]*>(.*)"/.exec(preset) ?? []
    const url = `${service.url}/carriers/http/kannel/texts?secret=${SECRET}${recommended}`
    const group = `group = sms-service\nkeyword = default\ncatch-all = true\nmax-messages = 0\nget-url = "${url}"`
    kannel = await startKannel(smsc.port, {
      also: `\ngroup = smsbox-route\nsmsbox-id = bench\nsmsc-id = bench\n\n${group}\n`,
    })
    await until('Kannel to be bound', async () => (await (await fetch(kannel.status_url)).text()).includes('online'))
  })
  afterAll(async () => {
    await kannel.stop()
    await service.close()
    await smsc.close()
  })

  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const arrives = (text: string) =>
    until(
      `“${text}”`,
      async () => (await service.db`select from inbound_messages where text = ${text}`).length === 1,
      30_000,
    )
  const deliver = async (fields: object) => {
    const addresses = {
      source_addr: '2348031234567',
      source_addr_ton: 1,
      source_addr_npi: 1,
      destination_addr: '32811',
    }
    expect(await smsc.deliver({ ...addresses, ...fields })).toBe(0)
  }

  test.each([
    ['ASCII', { data_coding: 0, short_message: Buffer.from('Hello  there, two blanks') }, 'Hello  there, two blanks'],
    ['Latin 1', { data_coding: 3, short_message: Buffer.from('café', 'latin1') }, 'café'],
    ['Yoruba', { data_coding: 8, short_message: utf16('Ẹ káàbọ̀ sí ilé') }, 'Ẹ káàbọ̀ sí ilé'],
    ['emoji', { data_coding: 8, short_message: utf16('👋😀 ₦5 †‑  ‥') }, '👋😀 ₦5 †‑  ‥'],
    ['8-bit data', { data_coding: 4, short_message: Buffer.from([1, 2, 255, 32, 32, 0]) }, '0102ff202000'],
  ] as const)('keeps every character: %s', async (_, fields, text) => {
    await deliver(fields)
    expect(await arrives(text)).toBe(true)
  })

  test('is joined from parts that split a surrogate pair', async () => {
    const text = `Ó ti dé ${'😀👋'.repeat(20)}`
    const octets = utf16(text)
    const size = 34
    const total = Math.ceil(octets.length / size)
    for (let n = 0; n < total; n += 1) {
      const part = octets.subarray(n * size, (n + 1) * size)
      const short_message = Buffer.concat([Buffer.from([5, 0, 3, 7, total, n + 1]), part])
      await deliver({ data_coding: 8, esm_class: 0x40, short_message })
    }
    expect(await arrives(text)).toBe(true)
  })
})
