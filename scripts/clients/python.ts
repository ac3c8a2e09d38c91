import { eachOf, groupsBelow, nameOf, type Method, type Model, type Schema } from './model.ts'
import { typedDicts } from './python-types.ts'

const HEAD = '# Written by `npm run clients` from openapi.json.\nfrom __future__ import annotations\n\n'
const KEYWORDS = ['from', 'class', 'import', 'global', 'is', 'in', 'not', 'or', 'and', 'pass', 'with', 'as']

/** The generated files of the Python client. */
export function pythonFiles(model: Model): Record<string, string> {
  return {
    'clients/python/gangan/types.py': `${HEAD}${typedDicts(model)}`,
    'clients/python/gangan/resources.py': resources(model),
  }
}

function resources({ methods }: Model): string {
  const groups = [...new Set(methods.flatMap(({ group }) => wholeGroups(group)))]
  // Types that others use come first.
  const ordered = groups.sort((a, b) => b.split('.').length - a.split('.').length)
  return `${HEAD}from typing import Any, Iterator, Literal, Mapping, Sequence, Union
from urllib.parse import quote

from . import types
from .call import NOT_GIVEN, Call, NotGiven, each, given

${ordered.map((group) => classText(methods, group)).join('\n\n')}

class Resources:
    """Every operation, by the name it has in all clients."""

    def __init__(self, call: Call) -> None:
${groupsBelow(methods, '')
  .map((name) => `        self.${name} = ${className(name)}(call)\n`)
  .join('')}`
}

function wholeGroups(group: string): string[] {
  const parts = group.split('.')
  return parts.map((_part, index) => parts.slice(0, index + 1).join('.'))
}

function classText(all: readonly Method[], group: string): string {
  const below = groupsBelow(all, group).filter((name) => name !== group)
  const own = all.filter((method) => method.group === group)
  const paged = eachOf(all, group)
  const made = below.map((name) => `        self.${name.split('.').at(-1) ?? ''} = ${className(name)}(call)\n`)
  return `class ${className(group)}:
    def __init__(self, call: Call) -> None:
        self._call = call
${made.join('')}
${[...own.map(methodText), ...(paged ? [eachText(paged)] : [])].join('\n')}`
}

function className(group: string): string {
  return group.replaceAll(/(^|\.)(\w)/g, (_all, _dot, first: string) => first.toUpperCase())
}

type Field = { name: string; argument: string; type: string; needed: boolean }

function methodText(method: Method): string {
  const fields = fieldsOf(method)
  const call = `self._call(${requestText(method, fields)})`
  const answer = answerType(method)
  return `    def ${method.name}(${signature(method, fields)}) -> ${answer}:
        """${docText(`${method.summary}. ${method.description}`)}"""
        ${answer === 'None' ? call : `return ${call}`}
`
}

function eachText(method: Method): string {
  const fields = fieldsOf(method).filter(({ name }) => name !== 'page' && name !== 'query_id')
  const entry = pythonType(method.page?.entry ?? {})
  return `    def each(${signature({ ...method, keyed: false }, fields)}) -> Iterator[${entry}]:
        """All entries of \`${method.name}\`, page after page."""
        return each(self._call, ${quoted(method.page?.field ?? '')}, ${requestText({ ...method, keyed: false }, fields)})
`
}

/** Fields of the body and of the query are keyword arguments. */
function fieldsOf({ body_shape, query }: Method): Field[] {
  return [body_shape, query].flatMap((one) =>
    Object.entries(one?.properties ?? {}).map(([name, field]) => ({
      name,
      argument: KEYWORDS.includes(name) ? `${name}_` : name,
      type: pythonType(field),
      needed: one?.required?.includes(name) ?? false,
    })),
  )
}

function signature({ path_params, keyed, takes_file }: Method, fields: readonly Field[]): string {
  const named = [...fields].sort((a, b) => Number(b.needed) - Number(a.needed))
  const by_name = [
    ...named.map(({ argument, type, needed }) =>
      needed ? `${argument}: ${type}` : `${argument}: ${union([type, 'NotGiven'])} = NOT_GIVEN`,
    ),
    ...(keyed ? ['idempotency_key: str | None = None'] : []),
    ...(takes_file ? ['content_type: str = "application/octet-stream"'] : []),
  ]
  const given = [...path_params.map((name) => `${name}: str`), ...(takes_file ? ['content: bytes'] : [])]
  const parts = ['self', ...given, ...(by_name.length > 0 ? ['*', ...by_name] : [])]
  return parts.join(', ')
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function requestText(
  { http, path, path_params, body, query, keyed, takes_file, answer }: Method,
  fields: readonly Field[],
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `{quote(${name}, safe='')}`)
  const values = `given({${fields.map(({ name, argument }) => `${quoted(name)}: ${argument}`).join(', ')}})`
  return [
    quoted(http),
    path_params.length > 0 ? `f"${filled}"` : quoted(path),
    ...(body ? [`body=${values}`] : []),
    ...(query && !body ? [`query=${values}`] : []),
    ...(takes_file ? ['file=(content, content_type)'] : []),
    ...(answer === 'bytes' ? ['as_bytes=True'] : []),
    ...(keyed ? ['keyed=True, idempotency_key=idempotency_key'] : []),
  ].join(', ')
}

function answerType({ answer }: Method): string {
  if (answer === undefined) return 'None'
  if (answer === 'bytes') return 'bytes'
  return answer === 'text' ? 'str' : pythonType(answer)
}

/** A type as an annotation; unnamed nested objects are maps. */
function pythonType(schema: Schema): string {
  if (schema.$ref !== undefined) return `types.${nameOf(schema.$ref)}`
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value))
    return union([`Literal[${values.join(', ')}]`, ...(schema.enum.includes(null) ? ['None'] : [])])
  }
  if (schema.anyOf) return union(schema.anyOf.map(pythonType))
  return union(
    [schema.type ?? 'any'].flat().map((type) => {
      if (type === 'array') return `Sequence[${schema.items ? pythonType(schema.items) : 'Any'}]`
      if (type === 'object') return 'Mapping[str, Any]'
      return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'Any'
    }),
  )
}

function docText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
