import { randomBytes } from 'node:crypto'
import { makeHttpClient, type HttpAnswer } from '../../values/http/client.ts'
import type { DownloadMedia } from '../message-carrier.ts'
import { at, shortText } from '../vendor-values.ts'
import { saysNotSent } from './codes.ts'
import type { WhatsappSettings } from './schema.ts'

/** The part of Meta's Graph API that we use. */
export type Graph = {
  send(body: string): Promise<SendAnswer>
  /** One page of the business account's templates, after a cursor. */
  templates(after: string | undefined): Promise<HttpAnswer>
  /** What Meta says of the number: its quality, and the messaging limit of the portfolio. */
  number(): Promise<HttpAnswer>
  createTemplate(template: object): Promise<HttpAnswer>
  editTemplate(template_id: string, change: object): Promise<HttpAnswer>
  deleteTemplate(name: string, template_id: string): Promise<HttpAnswer>
  upload(file: OutgoingFile): Promise<UploadAnswer>
  /** Uploads a sample of a header, for the review of a template. */
  uploadSample(file: OutgoingFile): Promise<HttpAnswer & { handle?: string }>
  /** Downloads a file that a person sent, by a URL that Meta makes for it. */
  download: DownloadMedia
  stop(): Promise<void>
}

export type SendAnswer =
  | { kind: 'taken'; wamid: string }
  | { kind: 'refused'; status: number; code: number | undefined; words: string | undefined }
  /** Meta cannot have received the message. */
  | { kind: 'unreached'; description: string }
  /** Meta may have taken the message. */
  | { kind: 'unclear'; description: string }

export type OutgoingFile = { type: string; filename: string; size: number; content: AsyncIterable<Buffer> }

export type UploadAnswer = { kind: 'taken'; id: string } | Exclude<SendAnswer, { kind: 'taken' }>

const TEMPLATES_PER_PAGE = 50
/** For 100 MB at 3 Mbit/s. */
const FILE_TIMEOUT_MS = 300_000
/** Files in transfer at a time, which bounds the memory they take. */
const FILES_IN_TRANSFER = 4

export function makeGraph(settings: WhatsappSettings): Graph {
  const http = makeHttpClient(settings)
  const file_http = makeHttpClient({ timeout_ms: FILE_TIMEOUT_MS, connections: FILES_IN_TRANSFER })
  const root = `${settings.base_url}/${settings.graph_version}`
  const headers = { authorization: `Bearer ${settings.access_token}` }
  const post = (path: string, body: string): Promise<HttpAnswer> =>
    http.call({
      method: 'POST',
      url: `${root}/${path}`,
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    })
  return {
    async send(body) {
      return readAnswer(await post(`${settings.phone_number_id}/messages`, body))
    },
    templates(after) {
      const query = new URLSearchParams({
        fields: 'id,name,language,status,category,previous_category,components,rejected_reason,quality_score',
        limit: String(TEMPLATES_PER_PAGE),
        ...(after === undefined ? {} : { after }),
      })
      return http.call({
        method: 'GET',
        url: `${root}/${settings.waba_id}/message_templates?${query.toString()}`,
        headers,
      })
    },
    number() {
      const query = new URLSearchParams({ fields: 'quality_rating,status,whatsapp_business_manager_messaging_limit' })
      return http.call({ method: 'GET', url: `${root}/${settings.phone_number_id}?${query.toString()}`, headers })
    },
    createTemplate: (template) => post(`${settings.waba_id}/message_templates`, JSON.stringify(template)),
    editTemplate: (template_id, change) => post(encodeURIComponent(template_id), JSON.stringify(change)),
    deleteTemplate(name, template_id) {
      const query = new URLSearchParams({ name, hsm_id: template_id })
      return http.call({
        method: 'DELETE',
        url: `${root}/${settings.waba_id}/message_templates?${query.toString()}`,
        headers,
      })
    },
    async upload(file) {
      const form = writeForm(file)
      const url = `${root}/${settings.phone_number_id}/media`
      const answer = await file_http.call({
        method: 'POST',
        url,
        body: form.body,
        headers: { ...headers, ...form.headers },
      })
      const id = answer.kind === 'answered' && answer.status < 300 ? shortText(at(answer.json, 'id')) : undefined
      if (id !== undefined) return { kind: 'taken', id }
      const refused = readAnswer(answer)
      return refused.kind === 'taken' ? { kind: 'unclear', description: 'no id in the answer' } : refused
    },
    async uploadSample({ type, filename, size, content }) {
      const query = new URLSearchParams({ file_name: safeName(filename), file_length: String(size), file_type: type })
      const app = settings.app_id ?? 'app'
      const started = await http.call({ method: 'POST', url: `${root}/${app}/uploads?${query.toString()}`, headers })
      if (started.kind !== 'answered' || started.status >= 300) return started
      const session = at(started.json, 'id')
      if (typeof session !== 'string' || !UPLOAD_SESSION.test(session)) return NO_UPLOAD
      const answer = await file_http.call({
        method: 'POST',
        url: `${root}/${session}`,
        body: content,
        headers: {
          authorization: `OAuth ${settings.access_token}`,
          'content-type': 'application/octet-stream',
          'content-length': String(size),
          file_offset: '0',
        },
      })
      if (answer.kind !== 'answered' || answer.status >= 300) return answer
      const handle = at(answer.json, 'h')
      return typeof handle === 'string' && handle !== '' ? { ...answer, handle } : NO_UPLOAD
    },
    async download(carrier_media_id, read) {
      const found = await http.call({ method: 'GET', url: `${root}/${encodeURIComponent(carrier_media_id)}`, headers })
      if (found.kind !== 'answered') return { kind: 'failed', description: found.description }
      const url = at(found.json, 'url')
      if (found.status !== 200 || typeof url !== 'string') return notFound(found)
      if (!isMetas(url, settings.base_url)) return { kind: 'failed', description: 'the URL of the file is not at Meta' }
      const given = Number(at(found.json, 'file_size'))
      const size = Number.isSafeInteger(given) && given >= 0 ? given : undefined
      const answer = await file_http.stream({ url, headers }, async ({ status, content }) =>
        status === 200 ? { value: await read({ size, content }) } : { status },
      )
      if (answer.kind !== 'read') return { kind: 'failed', description: answer.description }
      if ('value' in answer.value) return { kind: 'read', value: answer.value.value }
      return { kind: 'failed', description: `HTTP ${answer.value.status}` }
    },
    async stop() {
      await Promise.all([http.stop(), file_http.stop()])
    },
  }
}

/** The rest of the path of an upload, with its signature. */
const UPLOAD_SESSION = /^upload:[\w.~%+/=:?&-]{1,2000}$/
const NO_UPLOAD: HttpAnswer = { kind: 'lost', description: 'no handle in the answer' }

/** Meta no longer knows the id, or cannot be asked now. */
function notFound({ status, json }: Extract<HttpAnswer, { kind: 'answered' }>): { kind: 'gone' } | Failed {
  const code = at(json, 'error', 'code')
  if (status >= 400 && status < 500 && code === UNKNOWN_OBJECT) return { kind: 'gone' }
  return { kind: 'failed', description: shortText(at(json, 'error', 'message')) ?? `HTTP ${status}` }
}

type Failed = { kind: 'failed'; description: string }
const UNKNOWN_OBJECT = 100

/** Hosts that Meta serves files from. The request carries our token, so it goes to no other. */
const FILE_HOSTS = /(^|\.)(fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net)$/

function isMetas(url: string, base_url: string): boolean {
  const given = URL.parse(url)
  if (!given) return false
  return given.origin === new URL(base_url).origin || (given.protocol === 'https:' && FILE_HOSTS.test(given.hostname))
}

/** The form of an upload. Its length is known, although the file is read while it is sent. */
function writeForm({ type, filename, size, content }: OutgoingFile) {
  const boundary = `gangan${randomBytes(16).toString('hex')}`
  const part = (disposition: string, more = ''): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n`
  const name = safeName(filename)
  const head = Buffer.from(
    `${part('name="messaging_product"')}whatsapp\r\n${part('name="type"')}${type}\r\n${part(`name="file"; filename="${name}"`, `content-type: ${type}\r\n`)}`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* body(): AsyncGenerator<Buffer> {
    yield head
    yield* content
    yield tail
  }
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + size + tail.length),
  }
  return { body: body(), headers }
}

function safeName(filename: string): string {
  return filename.replaceAll(/[^\w .()-]/g, '_')
}

/** A message id means that Meta has the message; an error below 500, or with certain codes, that it has not. */
export function readAnswer(answer: HttpAnswer): SendAnswer {
  if (answer.kind === 'unreached') return answer
  if (answer.kind === 'lost') return { kind: 'unclear', description: answer.description }
  const { status, json } = answer
  const [message] = listAt(json, 'messages')
  const wamid = shortText(at(message, 'id'))
  if (status >= 200 && status < 300 && wamid !== undefined) return { kind: 'taken', wamid }
  const error = at(json, 'error')
  const given = at(error, 'code')
  const code = typeof given === 'number' ? given : undefined
  if (status >= 400 && (status < 500 || saysNotSent(code))) {
    return {
      kind: 'refused',
      status,
      code,
      words: shortText(at(error, 'error_data', 'details')) ?? shortText(at(error, 'message')),
    }
  }
  return { kind: 'unclear', description: `HTTP ${status}` }
}

export function listAt(json: unknown, ...path: string[]): unknown[] {
  const found = at(json, ...path)
  return Array.isArray(found) ? found : []
}
