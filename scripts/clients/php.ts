import { isRecord } from '../../src/values/record.ts'
import { eachOf, groupsBelow, nameOf, type Method, type Model, type Schema } from './model.ts'

const HEAD = '<?php\n\n// Written by `npm run clients` from openapi.json.\n\ndeclare(strict_types=1);\n\n'

/** The generated files of the PHP client: a class per group, and the shapes as types for PHPStan and Psalm. */
export function phpFiles(model: Model): Record<string, string> {
  const groups = [...new Set(model.methods.flatMap(({ group }) => wholeGroups(group)))]
  const classes = groups.map((group) => [
    `clients/php/src/Resources/${className(group)}.php`,
    classFile(model.methods, group),
  ])
  return {
    ...Object.fromEntries(classes),
    'clients/php/src/Types.php': typesFile(model),
    'clients/php/src/Gangan.php': clientFile(model.methods),
  }
}

function wholeGroups(group: string): string[] {
  const parts = group.split('.')
  return parts.map((_part, index) => parts.slice(0, index + 1).join('.'))
}

function className(group: string): string {
  return group.replaceAll(/(^|\.)(\w)/g, (_all, _dot, first: string) => first.toUpperCase())
}

function typesFile({ shapes, events }: Model): string {
  const types = shapes.map(([name, schema]) => ` * @phpstan-type ${name} ${typeOf(schema)}\n`)
  return `${HEAD}namespace Gangan;

/**
 * The shapes of requests and answers.
 *
${types.join('')} * @phpstan-type Event ${events.join('|')}
 */
final class Types
{
}
`
}

function clientFile(methods: readonly Method[]): string {
  const groups = groupsBelow(methods, '')
  const fields = groups.map((name) => `    public readonly Resources\\${className(name)} $${name};\n`)
  const made = groups.map((name) => `        $this->${name} = new Resources\\${className(name)}($call);\n`)
  return `${HEAD}namespace Gangan;

/** A service, and a key of it. */
final class Gangan
{
${fields.join('')}
    /**
     * @param float $timeout_s for each try
     * @param int $tries the first one and those after it, where a request may be repeated
     */
    public function __construct(string $key, string $url = 'http://127.0.0.1:8080', float $timeout_s = 30, int $tries = 4)
    {
        $call = new Call($key, $url, $timeout_s, $tries);
${made.join('')}    }
}
`
}

function classFile(all: readonly Method[], group: string): string {
  const own = all.filter((method) => method.group === group)
  const below = groupsBelow(all, group).filter((name) => name !== group)
  const paged = eachOf(all, group)
  const fields = below.map((name) => `    public readonly ${className(name)} $${name.split('.').at(-1) ?? ''};\n`)
  const made = below.map((name) => `        $this->${name.split('.').at(-1) ?? ''} = new ${className(name)}($call);\n`)
  const text = [...own.map(methodText), ...(paged ? [eachText(paged)] : [])].join('\n')
  const used = [...new Set([...text.matchAll(/\{([A-Z]\w+)\}/g)].map(([, name = '']) => name))].sort()
  const imports = used.map((name) => ` * @phpstan-import-type ${name} from Types\n`).join('')
  const verify = group === 'webhooks' ? VERIFY : ''
  return `${HEAD}namespace Gangan\\Resources;

use Gangan\\Call;
use Gangan\\Types;
${group === 'webhooks' ? 'use Gangan\\Webhook;\n' : ''}
/**
 * \`${group}\`: what of the service it opens is said at each method.
 *
${imports} */
final class ${className(group)}
{
${fields.join('')}${fields.length > 0 ? '\n' : ''}    public function __construct(private readonly Call $call)
    {
${made.join('')}    }

${text.replaceAll(/\{([A-Z]\w+)\}/g, '$1')}${verify}}
`
}

const VERIFY = `
    /**
     * Reads an event that was posted to you, if it is signed with the secret and not older than five minutes.
     *
     * @param string $body as it came, byte for byte
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public function verify(string $body, array $headers, string $secret): array
    {
        return Webhook::verify($body, $headers, $secret);
    }
`

function methodText(method: Method): string {
  const { answer, keyed } = method
  const native = answer === undefined ? 'void' : isRecord(answer) ? 'array' : 'string'
  const call = `$this->call->request(${requestText(method)}${keyed ? ', keyed: true, idempotency_key: $idempotency_key' : ''})`
  const returned = isRecord(answer) ? [`     * @return ${marked(answer)}\n`] : []
  return `    /**
     * ${docText(`${method.summary}. ${method.description}`)}
     *
${[...paramDocs(method), ...returned].join('')}     */
    public function ${method.name}(${signature(method, keyed)}): ${native}
    {
        ${native === 'void' ? call : `return ${call}`};
    }
`
}

function eachText(method: Method): string {
  return `    /**
     * All entries of \`${method.name}\`, page after page.
     *
${paramDocs(method).join('')}     * @return \\Generator<int, ${marked(method.page?.entry ?? {})}>
     */
    public function each(${signature(method, false)}): \\Generator
    {
        return $this->call->each('${method.page?.field ?? ''}', ${requestText(method)});
    }
`
}

function signature({ path_params, body, body_shape, query, takes_file }: Method, keyed: boolean): string {
  const optional = (shape: Schema | undefined) => (shape?.required?.length ? '' : ' = []')
  const parts = path_params.map((name) => `string $${name}`)
  if (body) parts.push(`array $body${optional(body_shape)}`)
  if (takes_file) parts.push('string $content', "string $content_type = 'application/octet-stream'")
  if (query) parts.push(`array $query${optional(query)}`)
  if (keyed) parts.push('?string $idempotency_key = null')
  return parts.join(', ')
}

function paramDocs({ body, query }: Method): string[] {
  const docs: string[] = []
  if (body) docs.push(`     * @param ${marked(body)} $body\n`)
  if (query) docs.push(`     * @param ${typeOf(query)} $query\n`)
  return docs
}

function requestText({ http, path, path_params, body, query, takes_file }: Method): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `' . rawurlencode($${name}) . '`)
  const whole = path_params.length > 0 ? `'${filled}'`.replace(/ \. ''$/, '') : `'${path}'`
  const file = takes_file ? ['file: [$content, $content_type]'] : []
  const given = [...(body ? ['body: $body'] : []), ...file, ...(query ? ['query: $query'] : [])]
  return [`'${http}'`, whole, ...given].join(', ')
}

/** Names in braces, so that the imports can be found. */
function marked(schema: Schema): string {
  return typeOf(schema, (name) => `{${name}}`)
}

function typeOf(schema: Schema, ref: (name: string) => string = (name) => name): string {
  if (schema.$ref !== undefined) return ref(nameOf(schema.$ref))
  if (schema.enum) {
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join('|')
  }
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, ref)).join('|')
  return [schema.type ?? 'mixed']
    .flat()
    .map((type) => plainType(type, schema, ref))
    .join('|')
}

function plainType(type: string, schema: Schema, ref: (name: string) => string): string {
  if (type === 'array') return `list<${schema.items ? typeOf(schema.items, ref) : 'mixed'}>`
  if (type !== 'object') {
    return { integer: 'int', number: 'int|float', boolean: 'bool', string: 'string', null: 'null' }[type] ?? 'mixed'
  }
  if (!schema.properties) {
    const { additionalProperties: values } = schema
    return `array<string, ${isRecord(values) ? typeOf(values, ref) : 'mixed'}>`
  }
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    return `${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field, ref)}`
  })
  return `array{${fields.join(', ')}}`
}

function docText(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll('{', '&#123;').replaceAll('}', '&#125;')
}
