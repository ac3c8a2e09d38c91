/**
 * JSON Schema with a static type: one constant is schema, type and documentation. A library for this would load hundreds
 * of files at every start and with every command (decision 0056).
 */
declare const SCHEMA: unique symbol
declare const FITTING: unique symbol
declare const OPTIONAL: unique symbol

/** Any schema. */
export interface Schema {
  readonly [SCHEMA]: true
}

/** A schema of values of type `T`. The type exists at compile time only. */
export interface SchemaOf<T> extends Schema {
  readonly [FITTING]: T
}

/** The type of the values that a schema accepts. */
export type Static<S extends Schema> = S extends SchemaOf<infer T> ? T : unknown

/** Keywords of JSON Schema: `description`, `pattern`, `maxItems`… */
type Keywords = Readonly<Record<string, unknown>>

type Optional = { readonly [OPTIONAL]: true }
export type Properties = Readonly<Record<string, Schema>>

type Fitting<P extends Properties> = Flat<
  { [Name in keyof P as P[Name] extends Optional ? never : Name]: Static<P[Name]> } & {
    [Name in keyof P as P[Name] extends Optional ? Name : never]?: Static<P[Name]>
  }
>
type Flat<T> = { [Name in keyof T]: T[Name] }

export type ObjectSchema<P extends Properties = Properties> = SchemaOf<Fitting<P>> & {
  type: 'object'
  required?: string[]
  properties: P
}
export type ArraySchema<S extends Schema = Schema> = SchemaOf<Static<S>[]> & { type: 'array'; items: S }
export type UnionSchema<All extends Schema[]> = SchemaOf<Static<All[number]>> & { anyOf: All }
export type LiteralSchema<Value> = SchemaOf<Value> & { type: string; const: Value }

/** Schemas of optional properties. JSON Schema has no keyword for this in the property's own schema. */
const optional = new WeakSet<object>()

/** Asserts the type of the values that these keywords accept: the one unchecked cast of this file. */
function schema<S extends Schema>(keywords: object): S {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return keywords as S
}

const simple =
  <T>(type: string) =>
  (more: Keywords = {}) =>
    schema<SchemaOf<T>>({ type, ...more })

function keywordsOf(properties: Readonly<Record<string, object>>): Keywords {
  const entries = Object.entries(properties)
  const required = entries.filter(([, of]) => !optional.has(of)).map(([name]) => name)
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties }
}

function ofOptional<S extends Schema>(of: S): S & Optional {
  const copy = { ...of }
  optional.add(copy)
  return schema(copy)
}

function without<P extends Properties, Name extends keyof P>(
  { properties }: ObjectSchema<P>,
  names: readonly Name[],
): ObjectSchema<Omit<P, Name>> {
  const left = Object.entries(properties).filter(([name]) => !names.some((one) => one === name))
  return schema(keywordsOf(Object.fromEntries(left)))
}

function partial<P extends Properties>({
  properties,
}: ObjectSchema<P>): ObjectSchema<{ [Name in keyof P]: P[Name] & Optional }> {
  const all = Object.entries(properties).map(([name, of]): [string, object] => [name, ofOptional(of)])
  return schema(keywordsOf(Object.fromEntries(all)))
}

export const Type = {
  String: simple<string>('string'),
  Integer: simple<number>('integer'),
  Number: simple<number>('number'),
  Boolean: simple<boolean>('boolean'),
  Null: simple<null>('null'),
  Undefined: simple<undefined>('undefined'),
  Unknown: (more: Keywords = {}) => schema<SchemaOf<unknown>>(more),
  Literal: <const Value extends string | number | boolean>(value: Value, more: Keywords = {}) =>
    schema<LiteralSchema<Value>>({ type: typeof value, const: value, ...more }),
  Array: <S extends Schema>(items: S, more: Keywords = {}) => schema<ArraySchema<S>>({ type: 'array', items, ...more }),
  Union: <All extends Schema[]>(anyOf: [...All], more: Keywords = {}) => schema<UnionSchema<All>>({ anyOf, ...more }),
  /** An object with any property names that match the pattern of `name`. */
  Record: <S extends Schema>(name: SchemaOf<string> & { pattern?: string }, value: S, more: Keywords = {}) =>
    schema<SchemaOf<Record<string, Static<S>>>>({
      type: 'object',
      patternProperties: { [name.pattern ?? '^.*$']: value },
      ...more,
    }),
  Object: <P extends Properties>(properties: P, more: Keywords = {}) =>
    schema<ObjectSchema<P>>({ ...keywordsOf(properties), ...more }),
  Optional: ofOptional,
  Omit: without,
  Partial: partial,
  /** A schema whose type cannot be derived from its keywords. */
  Unsafe: <T>(keywords: object) => schema<SchemaOf<T>>({ ...keywords }),
}

/** Any property name. The pattern of `Type.String()` would not match a name with a line break. */
export const AnyName = Type.String({ pattern: '^[\\s\\S]*$' })

/**
 * One of these words in any case. The module checks it, so that the error can list the words; the API description shows
 * an enum.
 */
export function oneOf(words: readonly string[], rest: { description: string; examples?: string[] }) {
  return Type.Unsafe<string>({ type: 'string', [SAID_ENUM]: [...words], ...rest })
}

/** One of these words in a response: exactly as written here. */
export function isOneOf<Word extends string>(words: readonly Word[], rest: Record<string, unknown> = {}) {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], ...rest })
}

/** An id and a timestamp in a response. */
export const id = Type.String({ format: 'uuid' })
export const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })

// Keywords that only the API description uses. Requests are validated by the rest of the schema and by the module.
export const SAID_ENUM = 'x-said-enum'
/** A required field that the module checks rather than the schema. */
export const SAID_REQUIRED = 'x-said-required'
/** A field that is accepted but left out of the description. */
export const UNSAID = 'x-unsaid'
