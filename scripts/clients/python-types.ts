import { isRecord } from '../../src/values/record.ts'
import { nameOf, type Model, type Schema } from './model.ts'

/** A TypedDict for every shape; nested objects are named after their field. */
export function typedDicts({ shapes, events }: Model): string {
  const taken = new Set(shapes.map(([name]) => name))
  const text = shapes.map(([name, schema]) => classText(taken, name, schema)).join('\n')
  return `from typing import Any, Literal, NotRequired, TypedDict, Union

${text}
Event = Union[${events.join(', ')}]
"""The body of a callback or webhook request; \`type\` says which event it is."""
`
}

/** In functional syntax: a field may be named like a keyword. */
function classText(taken: Set<string>, name: string, schema: Schema): string {
  const before: string[] = []
  const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
    const type = typeOf(of, `${name}${capital(field)}`, taken, before)
    return `    ${JSON.stringify(field)}: ${schema.required?.includes(field) ? type : `NotRequired[${type}]`},\n`
  })
  return `${before.join('')}${name} = TypedDict("${name}", {\n${fields.join('')}})\n`
}

function typeOf(schema: Schema, name: string, taken: Set<string>, before: string[]): string {
  if (schema.$ref !== undefined) return `"${nameOf(schema.$ref)}"`
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value))
    return union([`Literal[${values.join(', ')}]`, ...(schema.enum.includes(null) ? ['None'] : [])])
  }
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, name, taken, before)))
  return union([schema.type ?? 'any'].flat().map((type) => plainType(type, schema, name, taken, before)))
}

function plainType(type: string, schema: Schema, name: string, taken: Set<string>, before: string[]): string {
  if (type === 'array') return `list[${schema.items ? typeOf(schema.items, name, taken, before) : 'Any'}]`
  if (type !== 'object') {
    return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'Any'
  }
  if (!schema.properties) {
    const { additionalProperties: values } = schema
    return `dict[str, ${isRecord(values) ? typeOf(values, name, taken, before) : 'Any'}]`
  }
  const own = taken.has(name) ? `${name}Value` : name
  taken.add(own)
  before.push(classText(taken, own, schema))
  return `"${own}"`
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)]
  return all.length === 1 ? (all[0] ?? 'Any') : `Union[${all.join(', ')}]`
}

function capital(field: string): string {
  return field.replaceAll(/(^|_)(\w)/g, (_all, _dash, first: string) => first.toUpperCase())
}
