import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type { Static, Schema } from '../../values/schema/type.ts'
import type { Receipt } from '../../billing/charge.ts'
import type { Caller } from '../../organisations/store.ts'
import type { Fault } from '../../values/refusal.ts'
import type { Visitor } from '../console/visitor.ts'
import type { Idempotency } from './idempotency.ts'

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
export type Person = 'operator' | 'organisation' | 'visitor' | 'stranger' | 'anybody'

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
export type Given<Answer, Receipted, File> = Receipted extends true
  ? Receipt
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
