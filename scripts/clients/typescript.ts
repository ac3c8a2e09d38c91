import { isRecord } from '../../src/values/record.ts'
import { eachOf, groupsBelow, nameOf, type Method, type Model, type Schema } from './model.ts'

const HEAD = '// Written by `npm run clients` from openapi.json.\n'

/** The generated files of the TypeScript client. */
export function typescriptFiles(model: Model): Record<string, string> {
  return {
    'clients/typescript/src/types.ts': types(model),
    'clients/typescript/src/methods.ts': methods(model),
    'clients/typescript/src/gangan.ts': client(model),
    'clients/typescript/src/answers.ts': answers(model),
  }
}

/**
 * Types of the responses of the console's own operations; shapes they share with the public API are imported from the
 * client.
 */
export function consoleFiles(model: Model, public_model: Model): Record<string, string> {
  const is_public = new Set(public_model.shapes.map(([name]) => name))
  const is_body = new Set(model.methods.map(({ body }) => nameOf(body?.$ref ?? '')))
  const shapes = model.shapes.filter(([name]) => !is_public.has(name) && !is_body.has(name))
  const text = `${shapesText(shapes)}${answersText(model)}`
  const shared = imported(usedNames(public_model, text), '../../clients/typescript/src/types.ts')
  return { 'console/src/api-types.ts': `${HEAD}${shared}\n${text}` }
}

function answers(model: Model): string {
  const table = answersText(model)
  return `${HEAD}${imported(usedNames(model, table), './types.ts')}${table}`
}

function answersText({ methods: all }: Model): string {
  const rows = all.map(
    (method) => `  '${method.http} ${method.path}': ${method.answer ? answerType(method) : 'undefined'}\n`,
  )
  return `
/** Body of a successful answer, by method and path: \`undefined\` for 204, a string or bytes for files. */
export type Answers = {
${rows.join('')}}
`
}

function usedNames({ shapes }: Model, text: string): string[] {
  const code = text.replaceAll(/\/\*\*.*?\*\//g, '')
  return shapes.map(([name]) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(code))
}

function imported(names: readonly string[], file: string): string {
  return names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${file}'\n`
}

function types({ shapes, events }: Model): string {
  return `${HEAD}\n${shapesText(shapes)}\n/** The body of a callback or webhook request; \`type\` says which event it is. */\nexport type Event = ${events.join(' | ')}\n`
}

function shapesText(shapes: Model['shapes']): string {
  const written = shapes.map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema)}\n`,
  )
  return written.join('\n')
}

function typeOf(schema: Schema, depth = 0): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.enum)
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, depth)).join(' | ')
  return [schema.type ?? 'unknown']
    .flat()
    .map((type) => plainType(type, schema, depth))
    .join(' | ')
}

function plainType(type: string, schema: Schema, depth: number): string {
  if (type === 'integer') return 'number'
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, depth)
    const is_union = schema.items?.anyOf !== undefined || (/[|]/.test(item) && !item.startsWith('{'))
    return is_union ? `(${item})[]` : `${item}[]`
  }
  if (type !== 'object') return type
  if (!schema.properties) {
    const { additionalProperties: values } = schema
    return `Record<string, ${isRecord(values) ? typeOf(values, depth) : 'unknown'}>`
  }
  const pad = '  '.repeat(depth + 1)
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${comment(field.description, pad)}${pad}${key(name)}${mark}: ${typeOf(field, depth + 1)}\n`
  })
  return `{\n${fields.join('')}${'  '.repeat(depth)}}`
}

function methods(model: Model): string {
  const body = groupText(model.methods, '', 1)
  return `${HEAD}import type { Call, CallOptions, Each, FileToUpload } from './call.ts'
${imported(usedNames(model, body), './types.ts')}
export type Methods = ReturnType<typeof methods>

/** Every operation, by the name it has in all clients. */
export function methods(call: Call, each: Each) {
  return {
${body}  }
}
`
}

function client(model: Model): string {
  const groups = groupsBelow(model.methods, '')
  const fields = groups.map((name) => {
    const more = name === 'webhooks' ? ' & { verify: typeof verifyWebhook }' : ''
    return `  readonly ${name}: Methods['${name}']${more}\n`
  })
  const made = groups.map((name) => {
    return `    this.${name} = ${name === 'webhooks' ? '{ ...made.webhooks, verify: verifyWebhook }' : `made.${name}`}\n`
  })
  return `${HEAD}import { makeCall, makeEach, type Options } from './call.ts'
import { methods, type Methods } from './methods.ts'
import { verifyWebhook } from './verify-webhook.ts'

/** A service, and a key of it. */
export class Gangan {
${fields.join('')}
  constructor(options: Options) {
    const call = makeCall(options)
    const made = methods(call, makeEach(call))
${made.join('')}  }
}
`
}

function groupText(all: readonly Method[], group: string, depth: number): string {
  const pad = '  '.repeat(depth + 1)
  const own = all.filter((method) => method.group === group).map((method) => methodText(method, pad))
  const paged = eachOf(all, group)
  const below = groupsBelow(all, group).map((name) => {
    return `${pad}${name.split('.').at(-1) ?? ''}: {\n${groupText(all, name, depth + 1)}${pad}},\n`
  })
  return [...own, paged ? eachText(paged, pad) : '', ...below].join('')
}

function methodText(method: Method, pad: string): string {
  const answer = answerType(method)
  const { names, signature } = parameters(method)
  const request = requestText(method, names)
  return `${comment(`${method.summary}. ${method.description}`, pad)}${pad}${method.name}: (${signature}) => call<${answer}>(${request}, options),\n`
}

function eachText(method: Method, pad: string): string {
  const entry = typeOf(method.page?.entry ?? {})
  const { names, signature } = parameters(method)
  return `${comment(`All entries of \`${method.name}\`, page after page.`, pad)}${pad}each: (${signature}) => each<${entry}>(${requestText(method, names)}, '${method.page?.field ?? ''}', options),\n`
}

function answerType({ answer }: Method): string {
  if (answer === undefined) return 'void'
  if (answer === 'bytes') return 'Uint8Array'
  return answer === 'text' ? 'string' : typeOf(answer)
}

function parameters({ path_params, query, body, takes_file }: Method): {
  names: { body: boolean; query: boolean }
  signature: string
} {
  const parts = path_params.map((name) => `${name}: string`)
  if (body) parts.push(`body: ${typeOf(body)}`)
  if (takes_file) parts.push('file: FileToUpload')
  if (query) parts.push(query.required?.length ? `query: ${inline(query)}` : `query: ${inline(query)} = {}`)
  parts.push('options?: CallOptions')
  return { names: { body: body !== undefined, query: query !== undefined }, signature: parts.join(', ') }
}

/** On one line, without comments. */
function inline({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  return `{ ${fields.join('; ')} }`
}

function requestText(
  { http, path, path_params, keyed, takes_file, answer }: Method,
  names: { body: boolean; query: boolean },
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `\${encodeURIComponent(${name})}`)
  const parts = [
    `method: '${http}'`,
    `path: ${path_params.length > 0 ? `\`${filled}\`` : `'${path}'`}`,
    ...(names.body ? ['body'] : []),
    ...(takes_file ? ['file'] : []),
    ...(names.query ? ['query'] : []),
    ...(answer === 'bytes' ? ['bytes: true'] : []),
    ...(keyed ? ['keyed: true'] : []),
  ]
  return `{ ${parts.join(', ')} }`
}

function comment(text: string | undefined, pad: string): string {
  return text === undefined ? '' : `${pad}/** ${text.replaceAll('*/', '*\\/')} */\n`
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
}
