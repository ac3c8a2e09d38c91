import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudFault } from '../../src/emulators/whatsapp/errors.ts'
import { fileOf } from '../support/files.ts'
import { startMetaServer, templatesAt, type MetaServer } from '../support/meta-server.ts'
import { faults } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'

type Template = { id: string; components: { example?: { header_handle?: string[] } }[]; message?: string }
type Answer = Template & { errors?: { field: string; type: string; message: string }[] }

let meta: MetaServer
let service: TestService
let by: Organisation
let other: Organisation

beforeAll(async () => {
  meta = await startMetaServer()
  const { settings, config } = templatesAt(meta)
  service = await openService({ settings: { ...settings, media: { uploads_per_s: 1_000 } }, config })
  by = await service.organisation({ credit: 100 })
  other = await service.organisation({ credit: 100 })
})
afterAll(async () => {
  await service.close()
  await meta.close()
})
beforeEach(() => {
  delete meta.beforeSample
})

let count = 0
const nameOf = () => `sample_${(count += 1)}`
const BODY = { type: 'BODY', text: 'Your order is on its way.' }
const header = (format: string, header_media_id: string | undefined) => ({
  type: 'HEADER',
  format,
  example: { header_media_id },
})
const bodyOf = (components: object[], more = {}) => ({
  name: nameOf(),
  language: 'en',
  category: 'marketing',
  components,
  ...more,
})
const create = (body: object, from = by) => from.call<Answer>('POST', '/whatsapp/templates', body)

async function upload(content: Buffer, filename = 'shop.bin', from = by): Promise<string> {
  const path = `/media?filename=${encodeURIComponent(filename)}`
  const { status, body } = await from.call<{ id: string }>('POST', path, content, {
    'content-type': 'application/octet-stream',
  })
  expect(status).toBe(200)
  return body.id
}

const [png, jpeg, mp4, pdf] = (['png', 'jpeg', 'mp4', 'pdf'] as const).map((type) => fileOf(type, 300_000))

describe('the sample of a header is a file of the organisation', () => {
  test.each([
    ['image', png],
    ['Image', jpeg],
    ['video', mp4],
    ['document', pdf],
  ])('%s', async (format, content = Buffer.alloc(0)) => {
    const media_id = await upload(content, 'Été & 2.bin')
    const created = await create(bodyOf([header(format, media_id.toUpperCase()), BODY]))
    expect(created.status).toBe(200)
    const [{ example = {} } = {}] = created.body.components
    expect(Object.keys(example)).toEqual(['header_handle'])
    const sample = meta.sample_uploads.samples.get(example.header_handle?.[0] ?? '')
    expect(sample?.bytes.equals(content)).toBe(true)
    expect(meta.sample_uploads.started.at(-1)).toEqual({ app: 'app', file_name: '_t_ _ 2.bin' })
  })

  test('of each card of a carousel; one file is uploaded once', async () => {
    const [first, second] = [await upload(fileOf('png')), await upload(fileOf('jpeg'))]
    const cards = [first, second, first].map((id) => ({ components: [header('IMAGE', id)] }))
    const before = meta.sample_uploads.started.length
    expect((await create(bodyOf([BODY, { type: 'CAROUSEL', cards }]))).status).toBe(200)
    expect(meta.sample_uploads.started.length - before).toBe(2)
  })

  test('of a template that is changed', async () => {
    const { body: created } = await create(bodyOf([BODY]))
    const components = [header('DOCUMENT', await upload(fileOf('pdf'))), BODY]
    const path = `/whatsapp/templates/${created.id}`
    const changed = await by.call<Answer>('PATCH', path, { components })
    expect(changed.status).toBe(200)
    expect(meta.sample_uploads.samples.has(changed.body.components[0]?.example?.header_handle?.[0] ?? '')).toBe(true)
    const refused = await by.call<Answer>('PATCH', path, { components: [header('IMAGE', created.id), BODY] })
    expect([refused.status, ...faults(refused.body)]).toEqual([400, 'components[0].example.header_media_id not_found'])
  })

  test('of the app that the configuration names', async () => {
    const { settings } = templatesAt(meta)
    const carriers = [{ kind: 'simulator', name: 'simulator' }, meta.settings({ app_id: '584544743160774' })]
    await service.reload({ ...settings, carriers, media: { uploads_per_s: 1_000 } })
    expect((await create(bodyOf([header('IMAGE', await upload(fileOf('png'))), BODY]))).status).toBe(200)
    expect(meta.sample_uploads.started.at(-1)?.app).toBe('584544743160774')
  })
})

describe('refused before Meta is asked, naming the field', () => {
  const field = 'components[0].example.header_media_id'
  const refusedAs = async (components: object[], from = by): Promise<string[]> => {
    const before = [meta.sample_uploads.started.length, meta.templates.length]
    const { status, body } = await create(bodyOf(components), from)
    expect(status).toBe(400)
    expect([meta.sample_uploads.started.length, meta.templates.length]).toEqual(before)
    return faults(body)
  }

  test('a file that is unknown, of another organisation, or deleted', async () => {
    const media_id = await upload(fileOf('png'))
    const unknown = '019a8475-0000-7000-8000-000000000001'
    expect(await refusedAs([header('IMAGE', unknown), BODY])).toEqual([`${field} not_found`])
    expect(await refusedAs([header('IMAGE', media_id), BODY], other)).toEqual([`${field} not_found`])
    expect((await by.call('DELETE', `/media/${media_id}`)).status).toBe(204)
    expect(await refusedAs([header('IMAGE', media_id), BODY])).toEqual([`${field} not_found`])
  })

  test('a file of a type that Meta does not review in such a header', async () => {
    const wrong = [
      ['IMAGE', await upload(fileOf('mp4'))],
      ['VIDEO', await upload(Buffer.concat([Buffer.from('\0\0\0\x18ftyp3gp5', 'latin1'), Buffer.alloc(900)]))],
      ['DOCUMENT', await upload(Buffer.from('A text of a shop.'))],
      ['DOCUMENT', await upload(fileOf('png'))],
    ] as const
    for (const [format, media_id] of wrong) {
      expect(await refusedAs([header(format, media_id), BODY])).toEqual([`${field} invalid`])
    }
    const cards = ['IMAGE', 'IMAGE'].map((format) => ({ components: [header(format, wrong[0][1])] }))
    expect(await refusedAs([BODY, { type: 'CAROUSEL', cards }])).toEqual([
      'components[1].cards[0].components[0].example.header_media_id invalid',
      'components[1].cards[1].components[0].example.header_media_id invalid',
    ])
  })

  test('no file, two of them, or one where there is none', async () => {
    const media_id = await upload(fileOf('png'))
    expect(await refusedAs([header('IMAGE', undefined), BODY])).toEqual([`${field} missing`])
    expect(await refusedAs([header('IMAGE', 'shop.jpg'), BODY])).toEqual([`${field} not_found`])
    const both = { header_media_id: media_id, header_handle: ['4::aW'] }
    const handle = 'components[0].example.header_handle'
    expect(await refusedAs([{ ...header('IMAGE', media_id), example: both }, BODY])).toEqual([`${handle} invalid`])
    const address = { header_handle: ['https://scontent.whatsapp.net/v/1'] }
    expect(await refusedAs([{ ...header('IMAGE', media_id), example: address }, BODY])).toEqual([`${handle} invalid`])
    expect(await refusedAs([header('LOCATION', media_id), BODY])).toEqual([`${field} invalid`])
    expect(await refusedAs([{ ...BODY, example: { header_media_id: media_id } }])).toEqual([`${field} invalid`])
  })
})

describe('an upload that fails leaves nothing behind, and a retry submits the template once', () => {
  const reserved = async (name: string) => service.db`select 1 from whatsapp_templates where name = ${name}`

  test.each([
    ['Meta ends the connection', async () => 'drop' as const, [503]],
    ['Meta has a fault', () => Promise.reject(new CloudFault(131000, 'Something went wrong.')), [503]],
    ['Meta wants fewer calls', () => Promise.reject(new CloudFault(130429, 'Rate limit hit.')), [503]],
    [
      'Meta refuses the file',
      () => Promise.reject(new CloudFault(100, 'The file is damaged.')),
      [400, 'components[0].example.header_media_id invalid'],
    ],
  ])('%s', async (_, fate, answer) => {
    const body = bodyOf([header('IMAGE', await upload(fileOf('png', 700_000))), BODY])
    const balance = await by.call('GET', '/balance')
    meta.beforeSample = fate
    const failed = await create(body)
    expect([failed.status, ...faults(failed.body)]).toEqual(answer)
    expect(await reserved(body.name)).toHaveLength(0)
    meta.beforeSample = async () => {
      expect(await reserved(body.name)).toHaveLength(0) // a process that dies now leaves nothing behind
      return 'take'
    }
    expect((await create(body)).status).toBe(200)
    expect(meta.templates.filter(({ name }) => name === body.name)).toHaveLength(1)
    expect((await by.call('GET', '/balance')).body).toEqual(balance.body)
  })

  test('a file is deleted while another one is uploaded', async () => {
    const ids = [await upload(fileOf('png')), await upload(fileOf('jpeg'))]
    meta.beforeSample = async () => {
      await by.call('DELETE', `/media/${ids[1]}`)
      return 'take'
    }
    const cards = ids.map((id) => ({ components: [header('IMAGE', id)] }))
    const { status, body } = await create(bodyOf([BODY, { type: 'CAROUSEL', cards }]))
    expect([status, ...faults(body)]).toEqual([
      400,
      'components[1].cards[1].components[0].example.header_media_id not_found',
    ])
  })
})

test('several requests at once for one template submit it once', async () => {
  const body = bodyOf([header('IMAGE', await upload(fileOf('png'))), BODY])
  const answers = await Promise.all(Array.from({ length: 4 }, () => create(body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(meta.templates.filter(({ name }) => name === body.name)).toHaveLength(1)
})
