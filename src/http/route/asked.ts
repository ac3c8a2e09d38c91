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
    /** Who calls; set on every route that needs a key. */
    caller: Caller | null
    /** Who is behind the session; only where a person calls with the console's cookie in place of a key. */
    visitor?: Visitor
    /** What the shapes found wrong, on routes that add faults of their own. */
    shape_faults?: Fault[]
    /** The Idempotency-Key, on routes that take one. */
    idempotency?: Idempotency | undefined
  }
}

/**
 * Who asks without a key: an operator of the installation, anybody about an organisation they have chosen, anybody who
 * is logged in, somebody who is about to log in, or whoever comes by.
 */
export type Person = 'operator' | 'organisation' | 'visitor' | 'stranger' | 'anybody'

/** What `run` is given: Fastify's own request, with the types of the route's shapes. */
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

/** What `run` gives back, which the route makes into an answer. A long answer may be JSON text, part by part. */
export type Given<Answer, Receipted, File> = Receipted extends true
  ? Receipt
  : File extends string
    ? AsyncGenerator<string>
    : Answer extends Schema
      ? WithoutMeta<Static<Answer>> | AsyncGenerator<string>
      : void

type Shaped<Shape> = Shape extends Schema ? Static<Shape> : unknown

/** Any field may be absent; a file is a file. */
type Loose<Value> = Value extends Readable ? Value : Partial<Value>

/** Method and resource are the door's to say, and `pagination` stands beside what it is about. */
type WithoutMeta<Value> = Value extends { meta: infer Meta }
  ? Omit<Value, 'meta'> &
      (Meta extends { pagination: infer Pagination } ? { pagination: Pagination } : unknown) &
      (Exclude<keyof Meta, keyof DoorsMeta> extends never ? unknown : { meta: Omit<Meta, keyof DoorsMeta> })
  : Value

type DoorsMeta = { method: string; resource: string; pagination: object }
