import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Schema } from '../../values/schema/type.ts'
import type { Caller } from '../../organisations/store.ts'
import type { ErrorStatus } from '../error-schema.ts'
import type { Area } from '../../users/roles.ts'
import type { Need } from '../scopes.ts'
import type { Asked, Given, Person } from './asked.ts'

/**
 * One operation as data: what it is, who may ask for it, its shapes, and what it does. How a route works is in
 * `add-routes.ts`; which routes there are, in `api.ts`.
 */
export function route<
  Body extends Schema | undefined = undefined,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
  Who extends Person | 'key' = 'key',
  Adds extends boolean = false,
  Receipted extends boolean = false,
  File extends string | undefined = undefined,
>(
  operation: RouteText &
    (ForKeys | ForOthers<Who & Person>) & {
      body?: Body
      params?: Params
      query?: Query
      /** What is given back. Where it has a `meta`, method and resource are put into it, and `pagination`. */
      answer?: Answer
      /** The room adds faults of its own, so that all are told at once: `run` gets `shape_faults`, fields may be missing. */
      adds_faults?: Adds
      /** `run` gives a receipt: the answer as JSON text, and whether it was given before. */
      receipt?: Receipted
      /** `run` gives the text of a file, downloaded under this name: the lines of CSV, or of JSON that is the `answer`. */
      file?: File
      run: (
        request: Asked<Body, Params, Query, Who, Adds>,
        reply: FastifyReply,
      ) => Given<Answer, Receipted, File> | Promise<Given<Answer, Receipted, File>>
    },
): Route {
  return operation
}

/** A route whatever its shapes are. */
export type Route = RouteText &
  (ForKeys | ForOthers<Person>) & {
    body?: Schema | undefined
    params?: Schema | undefined
    query?: Schema | undefined
    answer?: Schema | undefined
    adds_faults?: boolean
    receipt?: boolean
    file?: string | undefined
    // Written as a method, so that it may ask for more than any request has: the shapes are checked before it runs.
    run(request: FastifyRequest, reply: FastifyReply): unknown
  }

/** Asked for with an API key that has this scope, these, or all of them; described in the reference. */
type ForKeys = { scope: Need; who?: never; errors: readonly ErrorStatus[] } & InReference

/** Asked for without a key. What only the console asks for is not in the reference. */
type ForOthers<Who> = { who: Who; scope?: never; errors?: readonly ErrorStatus[] } & (
  | InReference
  | { tag?: never; operation?: never; another_way?: never; description?: string }
)

type InReference = {
  /** The chapter of the reference, and what it says there: what nobody would guess from the summary. */
  tag: string
  description: string
  /** What clients call it, `sms.send`: things, then the verb. Its `operationId` is the same words, `smsSend`. */
  operation: `${string}.${string}`
  /** Another operation does the same: clients leave this one out. */
  another_way?: boolean
}

type RouteText = {
  /** What a person must have a right to; where it is not that of the scope. */
  area?: Area
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Other spellings of the path, which the reference does not show. */
  also_at?: readonly string[]
  /** The reference does not show the body, since there is a better way to say the same. */
  unsaid_body?: boolean
  /** One line, for the reference and for lists of routes. */
  summary: string
  /** An Idempotency-Key makes a retry be carried out once. */
  idempotent?: boolean
  /** Refuses who has no such thing at all, before what they ask is looked at. */
  requires?: (caller: Caller) => void
  /** In bytes, where it is not that of all bodies. */
  body_limit?: number
  /** The body may be CSV of at most this many bytes, and is read as a stream. */
  csv_limit?: number
  /** Long answers are compressed. */
  compress?: boolean
  /** No line in the log: health checks and the like. */
  quiet?: boolean
  /** A GET that reads a body, or never ends, has no HEAD. */
  no_head?: boolean
}
