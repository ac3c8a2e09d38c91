import { makeHttpClient, type HttpAnswer } from '../../values/http/client.ts'
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
  stop(): Promise<void>
}

export type SendAnswer =
  | { kind: 'taken'; wamid: string }
  | { kind: 'refused'; status: number; code: number | undefined; words: string | undefined }
  /** Meta cannot have received the message. */
  | { kind: 'unreached'; description: string }
  /** Meta may have taken the message. */
  | { kind: 'unclear'; description: string }

const TEMPLATES_PER_PAGE = 50

export function makeGraph(settings: WhatsappSettings): Graph {
  const http = makeHttpClient(settings)
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
    stop: () => http.stop(),
  }
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
