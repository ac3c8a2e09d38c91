import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { kannelForm } from '../../../callbacks/formats/address.ts'
import { sendMessage } from '../../../messaging/accept/send.ts'
import type { SendBody } from '../../../messaging/schema.ts'
import { readOctets, textOf as text, type Fields } from '../../../values/octets/fields.ts'
import { isRecord } from '../../../values/record.ts'
import { Refusal, type Fault } from '../../../values/refusal.ts'
import { answerTime } from '../../../values/time/moment.ts'
import type { HttpDeps } from '../../deps.ts'
import { answerFault, isBrokenOff } from '../../errors.ts'
import { scopeFault } from '../../route/authorize.ts'
import { hashOf, LONGEST_KEY, type Idempotency } from '../../route/idempotency.ts'
import { FormText } from '../../body/forms.ts'
import { FORM_BODY } from '../request.ts'
import { KannelFault, readContent } from './content.ts'
import { takePart } from './part.ts'

/** Also for deferred messages: Kannel as a client treats any other sentence as a failure. */
const ACCEPTED = '0: Accepted for delivery'
const PATH = '/cgi-bin/sendsms'
/** Thirty-five days, the maximum of any scheduled message. */
const MOST_MINUTES = 50_400

/**
 * Kannel's `sendsms`, by GET or as a form. A Fastify route rather than an operation: neither request nor answer have
 * our format.
 */
export function kannelRoutes(app: FastifyInstance, deps: HttpDeps): void {
  void app.register(async (inner) => {
    inner.setErrorHandler((fault, request, reply) => answerKannelFault(deps, fault, request, reply))
    for (const method of ['GET', 'POST'] as const) {
      inner.route({
        method,
        url: PATH,
        exposeHeadRoute: false,
        config: { who: 'public', body: FORM_BODY },
        schema: { hide: true, summary: 'Kannel: send a message' },
        handler: async (request, reply) => {
          const { id, replayed } = await send(deps, request)
          if (replayed) reply.header('idempotent-replayed', 'true')
          return answer(reply.header('x-message-id', id), 202, ACCEPTED)
        },
      })
    }
  })
}

type Sent = { id: string; replayed: boolean }

async function send(deps: HttpDeps, request: FastifyRequest): Promise<Sent> {
  const fields = readFields(request)
  const password = text(fields, 'password', 'pass')
  if (password === undefined) throw new Refusal('unauthenticated', 'A password is required.')
  const caller = await deps.authenticate(password)
  request.caller = caller
  const fault = scopeFault(caller, 'sms')
  if (fault) throw fault
  const deferred = minutes(fields, 'Deferred', 'deferred')
  const validity = minutes(fields, 'Validity', 'validity')
  const username = text(fields, 'username', 'user') ?? ''
  const addressed = readBody(fields, deferred)
  const { is_binary, part, content } = readContent(fields)
  const body = { ...addressed, content }
  const asked = {
    callback_form: kannelForm(readMask(fields), username.slice(0, 100)),
    expires_in_s: validity === undefined ? undefined : (validity + (deferred ?? 0)) * 60,
    is_bulk: text(fields, 'priority') === '0',
  }
  if (part && body.recipients?.length === 1) {
    return { id: await takePart(deps, caller, part, body, asked), replayed: false }
  }
  const receipt = await sendMessage(deps, { ...caller, sends_from_numbers: true }, body, {
    shape_faults: [],
    idempotency: readIdempotency(request),
    is_binary,
    ...asked,
  })
  const sent: unknown = JSON.parse(receipt.answer)
  return { id: isRecord(sent) ? String(sent.id) : '', replayed: receipt.replayed }
}

/** Kannel has no idempotency key; clients may send our header. */
function readIdempotency({ method, url, headers, body }: FastifyRequest): Idempotency | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > LONGEST_KEY) {
    throw new KannelFault(`An Idempotency-Key has 1 to ${LONGEST_KEY} characters, rejected`)
  }
  return { key, request_hash: hashOf(`${method} ${url}`, body instanceof FormText ? body.text : '') }
}

function readFields({ url, body }: FastifyRequest): Fields {
  const query = url.indexOf('?')
  const fields = readOctets(query < 0 ? '' : url.slice(query + 1))
  const form = body instanceof FormText ? readOctets(body.text) : new Map<string, Buffer>()
  return new Map([...fields, ...form])
}

function readBody(fields: Fields, deferred: number | undefined): Partial<SendBody> {
  const to = text(fields, 'to')
  if (to === undefined) throw new KannelFault('Empty receiver number not allowed, rejected')
  const from = text(fields, 'from')?.replace(/^\+/, '')
  const dlr_url = readMask(fields) > 0 ? text(fields, 'dlr-url', 'dlrurl') : undefined
  return {
    recipients: to.split(/\s+/).filter((one) => one !== ''),
    ...(from === undefined ? {} : { sender_id: from }),
    ...(dlr_url === undefined ? {} : { callback: dlr_url }),
    ...(deferred === undefined ? {} : { send_at: answerTime(Date.now() + deferred * 60_000) }),
  }
}

function readMask(fields: Fields): number {
  const given = text(fields, 'dlr-mask', 'dlrmask')
  if (given === undefined) return 0
  const mask = Number(given)
  if (!Number.isInteger(mask) || mask < 0 || mask > 255) throw new KannelFault('DLR-Mask field misformed, rejected')
  return mask
}

function minutes(fields: Fields, label: string, name: string): number | undefined {
  const given = text(fields, name)
  if (given === undefined) return undefined
  const count = Number(given)
  if (!Number.isInteger(count) || count < 0 || count > MOST_MINUTES) {
    throw new KannelFault(`${label} field misformed, rejected`)
  }
  return count === 0 ? undefined : count
}

function answerKannelFault(deps: HttpDeps, fault: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (fault instanceof KannelFault) return answer(reply, fault.status, fault.message)
  const { answer: error, retry_after_s, ours } = answerFault(fault)
  if (ours && !isBrokenOff(fault, request)) deps.log.error({ request_id: request.id, err: fault }, 'a request failed')
  if (retry_after_s !== undefined) reply.header('retry-after', Math.ceil(retry_after_s))
  if (fault instanceof Refusal) return answer(reply, statusOf(fault, error.status), sentenceOf(fault))
  return answer(reply, error.status, ours ? 'Temporal failure, try again later.' : error.message)
}

/** Kannel has one status for missing authorization. */
function statusOf({ code }: Refusal, status: number): number {
  return code === 'unauthenticated' || code === 'forbidden' ? 403 : status
}

function sentenceOf({ code, faults, message }: Refusal): string {
  if (code === 'unauthenticated' || code === 'forbidden') return 'Authorization failed for sendsms'
  if (code === 'unavailable' || code === 'too_many_requests') return 'Temporal failure, try again later.'
  const [fault] = faults
  return fault ? sentenceOfFault(fault) : `${message.replace(/\.$/, '')}, rejected`
}

function sentenceOfFault({ field, type, message }: Fault): string {
  if (field.startsWith('recipients')) return 'Garbage in receiver field, rejected.'
  if (field === 'sender_id' && type === 'missing') return 'Sender missing and no global set, rejected'
  if (field === 'callback') return 'DLR-URL field misformed, rejected'
  return `${message.replace(/\.$/, '')}, rejected`
}

function answer(reply: FastifyReply, status: number, sentence: string) {
  return reply.code(status).type('text/html; charset=utf-8').serializer(String).send(sentence)
}
