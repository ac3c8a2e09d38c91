import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../values/schema/type.ts'
import type { Phone } from '../../carriers/phone/store.ts'
import { PHONE_PATH } from '../../carriers/phone/tokens.ts'
import { Refusal } from '../../values/refusal.ts'
import { NO_BODY, type BodyPolicy } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'
import { errorAnswers, type ErrorStatus } from '../error-schema.ts'
import { makePhoneStreams } from './phone-streams.ts'

/** Reports have a few hundred bytes, received texts a few thousand. */
const BODY_LIMIT = 256 * 1024
const JSON_BODY: BodyPolicy = { takes: ['json'], bytes: BODY_LIMIT }
const SIGNED_BODY: BodyPolicy = { takes: ['bytes'], bytes: BODY_LIMIT }

const options = (
  operationId: string,
  summary: string,
  status: number,
  errors: readonly ErrorStatus[],
  body = NO_BODY,
) => ({
  exposeHeadRoute: false,
  config: { who: 'public' as const, body },
  schema: {
    operationId,
    tags: ['Operations'],
    summary,
    description: 'For the app SMSGate on a phone; see docs/phones.md.',
    response: { [status]: Type.Unsafe({}), ...errorAnswers(errors) },
  },
})

/**
 * The server API of the SMSGate app. Fastify routes rather than operations: tokens and formats are SMSGate's.
 * Unauthenticated requests are rejected before anything is read.
 */
export function phoneRoutes(app: FastifyInstance, deps: Pick<HttpDeps, 'phones' | 'wakeups' | 'console_url'>): void {
  const { phones } = deps
  const streams = makePhoneStreams(deps)
  const enter = (request: FastifyRequest): Promise<Phone> => phones.authenticate(bearer(request))
  const addressOf = (request: FastifyRequest): string => deps.console_url ?? `${request.protocol}://${request.host}`

  app.post(
    `${PHONE_PATH}/device`,
    options('phonesJoin', 'A phone joins, with the pairing token', 201, [400, 401, 409, 413, 415, 500, 503], JSON_BODY),
    async (request, reply) => {
      const joined = await phones.register(bearer(request), request.body, request.headers['user-agent'])
      return reply.code(201).send(joined)
    },
  )

  app.get(
    `${PHONE_PATH}/device`,
    options('phonesAddress', 'A phone reads its public address', 200, [401, 500, 503]),
    async (request) => {
      await enter(request)
      return { externalIp: request.ip }
    },
  )

  app.patch(
    `${PHONE_PATH}/device`,
    options('phonesUpdate', 'A phone reports its state and SIM cards', 204, [400, 401, 413, 415, 500, 503], JSON_BODY),
    async (request, reply) => {
      await phones.update(await enter(request), request.body)
      return reply.code(204).send()
    },
  )

  for (const [path, suffix] of [
    [`${PHONE_PATH}/message`, ''],
    [`${PHONE_PATH}/messages`, 'Plural'],
  ] as const) {
    app.get<{ Querystring: { order?: string } }>(
      path,
      options(`phonesPull${suffix}`, 'A phone fetches its pending messages', 200, [401, 500, 503]),
      async (request) => phones.pull(await enter(request), request.query.order),
    )

    app.patch(
      path,
      options(
        `phonesNote${suffix}`,
        'A phone reports the status of messages',
        204,
        [400, 401, 413, 415, 500, 503],
        JSON_BODY,
      ),
      async (request, reply) => {
        await phones.recordStates(await enter(request), request.body)
        return reply.code(204).send()
      },
    )
  }

  app.get(
    `${PHONE_PATH}/settings`,
    options('phonesSettings', 'A phone fetches its settings', 200, [401, 500, 503]),
    async (request) => phones.settings(await enter(request)),
  )

  app.get(
    `${PHONE_PATH}/webhooks`,
    options('phonesWebhooks', 'A phone reads its webhooks', 200, [401, 500, 503]),
    async (request) => phones.webhooks(await enter(request), addressOf(request)),
  )

  app.get(
    `${PHONE_PATH}/events`,
    options('phonesEvents', 'A phone listens for events', 200, [401, 429, 500, 503]),
    async (request, reply) => streams.open(await enter(request), request, reply),
  )

  // A closing server waits for its connections, and streams never end on their own.
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })

  app.post<{ Params: { phone: string }; Body: unknown }>(
    `${PHONE_PATH}/webhooks/:phone`,
    options(
      'phonesHappened',
      'What happened on a phone: a text came, or how it is. Signed by the phone',
      200,
      [401, 413, 415, 500, 503],
      SIGNED_BODY,
    ),
    async (request) => {
      const { 'x-signature': signature, 'x-timestamp': timestamp } = request.headers
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const is_signed = await phones.receiveEvent(request.params.phone, raw, { signature, timestamp })
      if (!is_signed) throw new Refusal('unauthenticated', 'The body is not signed by this phone.')
      return { status: 'ok' }
    },
  )
}

const LONGEST_TOKEN = 200

function bearer({ headers }: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)\s*$/i.exec((headers.authorization ?? '').slice(0, LONGEST_TOKEN)) ?? []
  if (token === undefined) throw new Refusal('unauthenticated', 'A phone says its token.')
  return token
}
