import type { Receipt } from '../../billing/charge.ts'
import type { MediaContent } from '../../media/read.ts'
import type { Caller } from '../../organisations/store.ts'
import type { Area } from '../../users/roles.ts'
import type { Fault } from '../../values/refusal.ts'
import type { Schema, Static } from '../../values/schema/type.ts'
import type { Visitor } from './visitor.ts'
import type { ErrorStatus } from '../error-schema.ts'
import type { Need } from '../scopes.ts'
import type { Idempotency } from './idempotency.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'

/**
 * Declares one operation: description, authorization, schemas and handler. `add-routes.ts` implements it; `src/http/api.ts`
 * lists all.
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
  Download extends boolean = false,
>(
  operation: RouteText &
    (ForKeys | ForOthers<Who & Person>) & {
      body?: Body
      params?: Params
      query?: Query
      /** The success answer. If it has a `meta`, method, resource and `pagination` are put into it. */
      answer?: Answer
      /**
       * The handler adds validation errors of its own, to return all together: `run` gets `shape_faults`, and fields
       * may be missing.
       */
      adds_faults?: Adds
      /** `run` returns a receipt: the answer as JSON text, and whether it is a replay. */
      receipt?: Receipted
      /** `run` yields the text of a file, downloaded under this name: CSV, or JSON of the `answer`'s shape. */
      file?: File
      /** `run` returns a stored file. */
      download?: Download
      run: (
        request: Asked<Body, Params, Query, Who, Adds>,
        reply: FastifyReply,
      ) => Given<Answer, Receipted, File, Download> | Promise<Given<Answer, Receipted, File, Download>>
    },
): Route {
  return operation
}

/** A route of any schemas. */
export type Route = RouteText &
  (ForKeys | ForOthers<Person>) & {
    body?: Schema | undefined
    params?: Schema | undefined
    query?: Schema | undefined
    answer?: Schema | undefined
    adds_faults?: boolean
    receipt?: boolean
    file?: string | undefined
    download?: boolean | undefined
    // A method, so that parameter types are bivariant: the schemas are validated before it runs.
    run(request: FastifyRequest, reply: FastifyReply): unknown
  }

/** Called with an API key of this scope, these, or all; documented in openapi.json. */
type ForKeys = { scope: Need; who?: never; errors: readonly ErrorStatus[] } & InReference

/** Called without a key. Routes that only the console calls are not in openapi.json. */
type ForOthers<Who> = { who: Who; scope?: never; errors?: readonly ErrorStatus[] } & (
  | InReference
  | { tag?: never; operation?: never; another_way?: never; description?: string }
)

type InReference = {
  /** Chapter of the reference; `description` says what the summary does not. */
  tag: string
  description: string
  /** Method name in clients, `sms.send`: resource, then verb. Its `operationId` is `smsSend`. */
  operation: `${string}.${string}`
  /** An alternative of another operation: clients leave it out. */
  another_way?: boolean
}

type RouteText = {
  /** The area a console user needs a right to, if it differs from the scope's. */
  area?: Area
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Aliases of the path, not documented. */
  also_at?: readonly string[]
  /** The body is not documented, because the parameters are preferred. */
  unsaid_body?: boolean
  summary: string
  /** Accepts an Idempotency-Key. */
  idempotent?: boolean
  /** Rejects callers that lack a capability, before the request is validated. */
  requires?: (caller: Caller) => void
  /** Size limit in bytes, if not the default. */
  body_limit?: number
  /** The body may be CSV of at most this many bytes, read as a stream. */
  csv_limit?: number
  /** The body is a file of any type, read as a stream. `run` enforces `body_limit`. */
  takes_file?: boolean
  /** Compress long answers. */
  compress?: boolean
  /** No access log line: health checks. */
  quiet?: boolean
  /** No HEAD route: for a GET that reads a body or never ends. */
  no_head?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; set on every route that needs a key. */
    caller: Caller | null
    /** The console user; only where a session is used in place of a key. */
    visitor?: Visitor
    /** Validation errors, on routes that add errors of their own. */
    shape_faults?: Fault[]
    idempotency?: Idempotency | undefined
  }
}

/**
 * Callers without a key: an operator of the installation, a user with a chosen organisation, any logged-in user, a
 * console page before login, or any client.
 */
export type Person = 'operator' | 'organisation' | 'visitor' | 'guest' | 'public'

/** The argument of `run`: Fastify's request with the types of the route's schemas. */
export type Asked<
  Body extends Schema | undefined,
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Who extends Person | 'key',
  Adds extends boolean,
> = FastifyRequest & {
  body: Adds extends true ? Loose<Shaped<Body>> : Shaped<Body>
  params: Shaped<Params>
  query: Adds extends true ? Loose<Shaped<Query>> : Shaped<Query>
} & (Who extends 'key' | 'organisation' ? { caller: Caller } : unknown) &
  (Who extends 'operator' | 'organisation' | 'visitor' ? { visitor: Visitor } : unknown) &
  (Adds extends true ? { shape_faults: Fault[] } : unknown)

/** The result of `run`. A long answer may be JSON text in parts. */
export type Given<Answer, Receipted, File, Download = false> = Receipted extends true
  ? Receipt
  : Download extends true
    ? MediaContent
    : File extends string
      ? AsyncGenerator<string>
      : Answer extends Schema
        ? WithoutMeta<Static<Answer>> | AsyncGenerator<string>
        : void

type Shaped<Shape> = Shape extends Schema ? Static<Shape> : unknown

/** Every field optional; a file stays a file. */
type Loose<Value> = Value extends Readable ? Value : Partial<Value>

/** `method` and `resource` are added by the route, and `pagination` moves into `meta`. */
type WithoutMeta<Value> = Value extends { meta: infer Meta }
  ? Omit<Value, 'meta'> &
      (Meta extends { pagination: infer Pagination } ? { pagination: Pagination } : unknown) &
      (Exclude<keyof Meta, keyof DoorsMeta> extends never ? unknown : { meta: Omit<Meta, keyof DoorsMeta> })
  : Value

type DoorsMeta = { method: string; resource: string; pagination: object }
