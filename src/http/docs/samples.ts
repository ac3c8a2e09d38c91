import type { Body, Entry, Parameter, Resolve, Schema } from './document.ts'
import { exampleOf, ownExample } from './example.ts'
import { isRecord } from '../../values/record.ts'

export type Sample = { language: string; text: string }

/** Client code for an operation, with the values of its examples; `gangan` is the client. */
export function clientSamples(resolve: Resolve, { operation }: Pick<Entry, 'operation'>): Sample[] {
  const method = operation['x-client-method']
  if (method === undefined) return []
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter))
  const path = parameters.filter((one) => one.in === 'path').map((one) => valueOf(resolve, one))
  const fields = operation.requestBody
    ? bodyOf(resolve, resolve<Body>(operation.requestBody))
    : Object.fromEntries(
        parameters
          .filter((one) => one.in === 'query' && one.required === true)
          .map((one) => [one.name, valueOf(resolve, one)]),
      )
  const has_fields = operation.requestBody !== undefined || Object.keys(fields).length > 0
  const positional = (write: Write) => [...path.map((value) => write(value)), ...(has_fields ? [write(fields)] : [])]
  const by_name = Object.entries(fields).map(([name, value]) => `${name === 'from' ? 'from_' : name}=${python(value)}`)
  return [
    { language: 'TypeScript', text: `await gangan.${method}(${positional(typescript).join(', ')})` },
    { language: 'Python', text: `gangan.${method}(${[...path.map(python), ...by_name].join(', ')})` },
    { language: 'PHP', text: `$gangan->${method.replaceAll('.', '->')}(${positional(php).join(', ')});` },
  ]
}

type Write = (value: unknown) => string

function valueOf(resolve: Resolve, { name, example, schema }: Parameter): unknown {
  return example ?? exampleOf(resolve, schema ?? { type: 'string' }, name)
}

/** The JSON body, even if a file is accepted too. */
function bodyOf(resolve: Resolve, { content = {} }: Body): Record<string, unknown> {
  const media = content['application/json']
  const schema = resolve<Schema>(media?.schema ?? {})
  const value = media?.example ?? ownExample(schema) ?? exampleOf(resolve, schema)
  return isRecord(value) ? value : {}
}

function typescript(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(typescript).join(', ')}]`
  if (!isRecord(value)) return literal(value, "'")
  const fields = Object.entries(value).map(([name, one]) => {
    return `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name, "'")}: ${typescript(one)}`
  })
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([name, one]) => `${literal(name, '"')}: ${python(one)}`)
      .join(', ')}}`
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : literal(value, '"')
}

function php(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(php).join(', ')}]`
  if (!isRecord(value)) return literal(value, "'")
  return `[${Object.entries(value)
    .map(([name, one]) => `${literal(name, "'")} => ${php(one)}`)
    .join(', ')}]`
}

function literal(value: unknown, quote: string): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const escaped = value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return quote + (quote === "'" ? escaped : escaped.replaceAll('\n', '\\n')) + quote
}
