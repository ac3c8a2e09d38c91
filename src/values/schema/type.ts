/**
 * JSON Schema that knows the type of what fits it: one constant is schema, type and documentation. Written here because the
 * libraries for it are hundreds of files that every start and every command would load (decision 0056).
 */
declare const SCHEMA: unique symbol
declare const FITTING: unique symbol
declare const OPTIONAL: unique symbol

/** Some schema. */
export interface Schema {
  readonly [SCHEMA]: true
}

/** A schema of values of type `T`. The type is all there is of that: nothing is stored for it. */
export interface SchemaOf<T> extends Schema {
  readonly [FITTING]: T
}

/** The type of what fits a schema. */
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

/** Those that a property need not be there for, which is no keyword of the property's own schema. */
const optional = new WeakSet<object>()

/** Says what fits the keywords: here alone nobody checks that it is so. */
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
  /** Any names that fit the pattern of `name`. */
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
  /** A schema whose type cannot be told from its keywords. */
  Unsafe: <T>(keywords: object) => schema<SchemaOf<T>>({ ...keywords }),
}

/** The names of an object whose fields are not known. Said in full: `Type.String()` would let a name with a line break by. */
export const AnyName = Type.String({ pattern: '^[\\s\\S]*$' })

/**
 * Text that is one of these words in any case. The room reads it, so that a fault names the words; the interface
 * description shows them as an enum.
 */
export function oneOf(words: readonly string[], rest: { description: string; examples?: string[] }) {
  return Type.Unsafe<string>({ type: 'string', [SAID_ENUM]: [...words], ...rest })
}

/** The same in an answer: always as it is written here. */
export function isOneOf(words: readonly string[], rest: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({ type: 'string', enum: [...words], ...rest })
}

// What only the interface description knows of a shape. Requests are checked by the rest of it, and by the room.
export const SAID_ENUM = 'x-said-enum'
/** A field that a caller must give, although it is the room that asks for it. */
export const SAID_REQUIRED = 'x-said-required'
/** A field that is taken, and that nobody should begin to use. */
export const UNSAID = 'x-unsaid'
