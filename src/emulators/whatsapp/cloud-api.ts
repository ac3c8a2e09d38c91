import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listeningPort } from '../../values/listening-port.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import { isRecord } from '../../values/record.ts'
import { checkMessage } from './check-message.ts'
import { CloudFault, errorBody, statusOfCode } from './errors.ts'
import { makeMediaStore, readForm, type MediaStore } from './media.ts'
import { makeSampleUploads, type SampleUploads } from './sample-uploads.ts'
import { isComplete, makeTemplateAdmin, seedTemplate, type CloudTemplate, type SeededTemplate } from './templates.ts'
import type { NumberIds } from './webhooks.ts'

/** A message as it was posted, with the id that it got. */
export type Taken = {
  wamid: string
  to: string
  type: string
  text?: { body: string }
  template?: {
    name: string
    language: { code: string }
    components: { type: string; sub_type?: string; index?: string; parameters: { type: string; text: string }[] }[]
  }
  context?: { message_id: string }
  biz_opaque_callback_data: string
  messaging_product: string
  recipient_type: string
}

/** How a valid message is treated: accepted, rejected with a code, or with an inconclusive response. */
export type Mood =
  | 'take'
  | { code: number; status?: number }
  | 'take_and_500'
  | 'take_and_drop'
  | 'take_and_hang'
  | 'take_and_babble'
  | 'drop_untaken'

export type CloudApi = {
  url: string
  /** The first of its numbers. */
  number: NumberIds
  numbers: readonly NumberIds[]
  /** What is read of a number: its quality, its status, and the messaging limit of the portfolio. */
  facts: { quality_rating: string; status: string; whatsapp_business_manager_messaging_limit: string }
  /** The number that a message was sent from, by its id. */
  numberOf(wamid: string): NumberIds
  mood: Mood | ((message: Taken, from: NumberIds) => Mood)
  /** Called for an accepted message before the response. */
  beforeAnswer?: (message: Taken) => Promise<unknown>
  taken: Taken[]
  /** Every call to `/messages`, accepted or not. */
  calls: { authorization: string | undefined; path: string; at: number; body: Taken }[]
  templates: SeededTemplate[]
  /** Templates on a page of the list. */
  page: number
  media: MediaStore
  sample_uploads: SampleUploads
  /** Called for every upload before the response. */
  beforeUpload?: () => Promise<unknown>
  /** Called for every upload of a sample; `drop` ends the connection, and Meta has nothing of it. */
  beforeSample?: () => Promise<'take' | 'drop'>
  /** Called for a file that was stored, before the response. */
  afterUpload?: () => Promise<unknown>
  /** Called for every download before the response. */
  beforeDownload?: () => Promise<unknown>
  /** Called for an edited template before the response. */
  beforeEdit?: (template: CloudTemplate) => Promise<unknown>
  /** Called for a template that was created, edited or deleted. */
  onTemplate?: (template: CloudTemplate, change: 'review' | 'deleted') => void
  close(): Promise<void>
}

export type CloudApiOptions = {
  port: number
  host: string
  token: string
  number: NumberIds
  /** Further numbers of the same business account. */
  further?: readonly NumberIds[]
}

/** More than the largest file (100 MB) with its form. */
const MAX_BODY_BYTES = 101 * 1024 * 1024

/**
 * An emulator of Meta's Cloud API, written from its documentation: it validates messages and templates as Meta does, stores
 * media with expiring ids, and answers with Meta's error codes. It posts no webhooks itself; see `webhooks.ts`.
 */
export async function startCloudApi({ port, host, token, number, further = [] }: CloudApiOptions): Promise<CloudApi> {
  const numbers = [number, ...further]
  const sent_from = new Map<string, NumberIds>()
  const server = createServer((request, response) => {
    void serve(request, response).catch((fault: unknown) => {
      if (!(fault instanceof CloudFault)) throw fault
      answer(response, statusOfCode(fault.code), errorBody(fault.code, fault.details))
    })
  })
  const list = (): CloudTemplate[] => {
    // Tests replace the list and write templates by hand. A complete one stays the same object: it may be in review.
    api.templates = api.templates.map((one) => (isComplete(one) ? one : seedTemplate(one)))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by checkMessage, or by seedTemplate
    return api.templates as CloudTemplate[]
  }
  const admin = makeTemplateAdmin(list, (given) => api.sample_uploads.check(given))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    if (!body) return void response.destroy()
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://meta')
    const [, first = '', second, third] = pathname.split('/')
    const is_upload = second?.startsWith('upload:') === true
    if (request.headers.authorization !== `${is_upload ? 'OAuth' : 'Bearer'} ${token}`) {
      throw new CloudFault(190, 'The token is not valid.')
    }
    if (first === 'media-download') {
      await api.beforeDownload?.()
      const { bytes, type } = api.media.download(second ?? '')
      response.writeHead(200, { 'content-type': type }).end(bytes)
      return
    }
    const call = `${request.method} ${is_upload ? 'upload' : callOf(second, third)}`
    const given = (): Record<string, unknown> => {
      const json = parseJson(body.toString())
      if (!isRecord(json)) throw new CloudFault(100, 'The body must be a JSON object.')
      return json
    }
    switch (call) {
      case 'POST messages': {
        const message = given()
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by checkMessage, or by seedTemplate
        const taken = message as Taken
        const { authorization } = request.headers
        api.calls.push({ authorization, path: pathname, at: Date.now(), body: taken })
        return takeMessage(taken, numbers.find((one) => one.phone_number_id === second) ?? number, response)
      }
      case 'POST media': {
        const { fields, file } = readForm(String(request.headers['content-type']), body)
        if (fields.get('messaging_product') !== 'whatsapp' || !file)
          throw new CloudFault(100, 'A parameter is missing.')
        await api.beforeUpload?.()
        const id = api.media.upload(file.bytes, fields.get('type') ?? file.type)
        await api.afterUpload?.()
        return answer(response, 200, { id })
      }
      case 'POST uploads':
        return answer(response, 200, api.sample_uploads.start(second ?? '', searchParams))
      case 'POST upload': {
        if ((await api.beforeSample?.()) === 'drop') return void response.destroy()
        const offset = request.headers.file_offset
        return answer(response, 200, api.sample_uploads.append(`${second}${search}`, String(offset), body))
      }
      case 'GET upload':
        return answer(response, 200, api.sample_uploads.progress(`${second}${search}`))
      case 'GET templates':
        return listPage(searchParams, response)
      case 'POST templates': {
        const template = admin.create(given())
        answer(response, 200, { id: template.id, status: template.status, category: template.category })
        return api.onTemplate?.(template, 'review')
      }
      case 'DELETE templates': {
        const gone = admin.remove(searchParams.get('name') ?? '', searchParams.get('hsm_id') ?? undefined)
        answer(response, 200, { success: true })
        for (const template of gone) api.onTemplate?.(template, 'deleted')
        return
      }
      case 'POST object': {
        const template = admin.edit(second ?? '', given())
        await api.beforeEdit?.(template)
        answer(response, 200, { success: true })
        return api.onTemplate?.(template, 'review')
      }
      case 'GET number': {
        const { display } = numbers.find((one) => one.phone_number_id === second) ?? number
        return answer(response, 200, { ...api.facts, display_phone_number: display, id: second })
      }
      case 'GET object':
        return answer(response, 200, api.media.describe(second ?? '', api.url))
      case 'DELETE object':
        return answer(response, 200, { success: api.media.remove(second ?? '') })
      default:
        throw new CloudFault(100, `Unknown path components: ${pathname}`)
    }
  }

  function callOf(object: string | undefined, edge: string | undefined): string {
    if (numbers.some((one) => one.phone_number_id === object)) {
      return edge === undefined ? 'number' : edge === 'messages' || edge === 'media' ? edge : ''
    }
    if (object === number.waba_id && edge === 'message_templates') return 'templates'
    if (edge === 'uploads' && /^(app|\d+)$/.test(object ?? '')) return edge
    return object !== undefined && edge === undefined ? 'object' : ''
  }

  async function takeMessage(body: Taken, from: NumberIds, response: ServerResponse): Promise<void> {
    const mood = typeof api.mood === 'function' ? api.mood(body, from) : api.mood
    if (mood === 'drop_untaken') return void response.destroy()
    if (typeof mood === 'object') {
      return answer(response, mood.status ?? 400, errorBody(mood.code, `details of ${mood.code}`))
    }
    checkMessage({ media: api.media, templates: list() }, body)
    const wamid = `wamid.HBgN${Buffer.from(`${api.taken.length} ${body.to}`).toString('base64url')}`
    const message = { ...body, wamid }
    api.taken.push(message)
    sent_from.set(wamid, from)
    if (api.beforeAnswer) await api.beforeAnswer(message)
    if (mood === 'take_and_hang') return
    if (mood === 'take_and_drop') return void response.destroy()
    if (mood === 'take_and_babble') return void response.writeHead(200).end('{"messages": [{"id": ')
    if (mood === 'take_and_500') return void response.writeHead(500).end('<html>Sorry, something went wrong.</html>')
    answer(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: body.to, wa_id: body.to.replace('+', '') }],
      messages: [{ id: wamid, message_status: 'accepted' }],
    })
  }

  function listPage(query: URLSearchParams, response: ServerResponse): void {
    const all = list()
    const from = Number(query.get('after') ?? 0)
    const until = from + api.page
    answer(response, 200, {
      data: all.slice(from, until),
      paging: {
        cursors: { before: String(from), after: String(until) },
        // As an attacker who wants the token would do: the link leads elsewhere.
        ...(until < all.length ? { next: 'http://127.0.0.1:1/x' } : {}),
      },
    })
  }

  server.listen(port, host)
  await once(server, 'listening')
  const api: CloudApi = {
    url: `http://${host}:${listeningPort(server)}`,
    number,
    numbers,
    facts: {
      quality_rating: 'GREEN',
      status: 'CONNECTED',
      whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED',
    },
    numberOf: (wamid) => sent_from.get(wamid) ?? number,
    mood: 'take',
    taken: [],
    calls: [],
    templates: [],
    page: 50,
    media: makeMediaStore(),
    sample_uploads: makeSampleUploads(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return api
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return undefined
      length += chunk.length
      if (length > MAX_BODY_BYTES) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined // the client disconnected
  }
  return Buffer.concat(chunks)
}
