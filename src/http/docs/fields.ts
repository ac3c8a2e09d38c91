import type { Parameter, Resolve, Schema } from './document.ts'
import { recordOf } from './example.ts'
import { escapeHtml } from './html.ts'
import { inline } from './markdown.ts'
import { allowedValues, bounds, typeWords } from './wording.ts'

const MAX_DEPTH = 6

type Need = (required: boolean) => string
const REQUIRED: Need = (required) => (required ? ' <span class="need">required</span>' : '')
const OPTIONAL: Need = (required) => (required ? '' : ' <span class="maybe">may be left out</span>')

type Field = {
  name: string
  path: string
  depth: number
  required: boolean | undefined
  place?: string
  schema: Schema
}

/** A table of the fields of a body, nested ones indented below their parent; empty if there are none. */
export function bodyTable(resolve: Resolve, label: string, shape: Schema): string {
  return table(
    label,
    innerFields(resolve, shape, '', 0).map((field) => row(resolve, field, REQUIRED)),
  )
}

/** A table of the fields of an answer, where optional ones are marked. */
export function answerTable(resolve: Resolve, label: string, shape: Schema): string {
  return table(
    label,
    innerFields(resolve, shape, '', 0).map((field) => row(resolve, field, OPTIONAL)),
  )
}

/** A table of path, query and header parameters. */
export function parametersTable(resolve: Resolve, label: string, parameters: readonly Parameter[]): string {
  const fields = parameters.map((parameter) => ({
    name: parameter.name,
    path: '',
    depth: 0,
    required: parameter.required ?? false,
    place: parameter.in,
    schema: { description: parameter.description ?? '', ...resolve<Schema>(parameter.schema ?? {}) },
  }))
  return table(
    label,
    fields.map((field) => row(resolve, field, REQUIRED)),
  )
}

export function countFields(resolve: Resolve, shape: Schema): number {
  return innerFields(resolve, shape, '', 0).length
}

/** Nested fields: of an object, of an array's items, of each variant of a union. */
function innerFields(resolve: Resolve, shape: Schema, path: string, depth: number): Field[] {
  if (depth > MAX_DEPTH) return []
  const schema = resolve<Schema>(shape)
  const fields: Field[] = (schema.allOf ?? []).flatMap((part) => innerFields(resolve, part, path, depth))
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = { name, path, depth, required: schema.required?.includes(name) ?? false, schema: property }
    fields.push(field, ...innerFields(resolve, property, `${path}${name}.`, depth + 1))
  }
  const values = recordOf(schema)
  if (values)
    fields.push(...ifAny(resolve, values, { name: '{key}', path, depth, required: undefined, schema: values }))
  if (schema.items) fields.push(...innerFields(resolve, schema.items, path.replace(/\.$/, '[].'), depth))
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const shaped = variants.filter((variant) => innerFields(resolve, variant, path, depth).length > 0)
  for (const [index, variant] of shaped.entries()) {
    if (shaped.length === 1) fields.push(...innerFields(resolve, variant, path, depth))
    else {
      const name = index === 0 ? 'either' : 'or'
      fields.push({ name, path: '', depth, required: undefined, schema: variant })
      fields.push(...innerFields(resolve, variant, path, depth + 1))
    }
  }
  return fields
}

/** A map of scalars needs no row: its type says it all. */
function ifAny(resolve: Resolve, values: Schema, field: Field): Field[] {
  const inner = innerFields(resolve, values, `${field.path}{key}.`, field.depth + 1)
  return inner.length > 0 ? [field, ...inner] : []
}

/** Explicit ARIA roles: browsers drop the implicit ones when the styles stack the cells. */
function table(label: string, rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return `<table role="table" class="fields" aria-label="${escapeHtml(label)}">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Name</th><th role="columnheader" scope="col">Type</th><th role="columnheader" scope="col">Description</th></tr></thead>
<tbody role="rowgroup">
${rows.join('\n')}
</tbody></table>`
}

function row(resolve: Resolve, { name, path, depth, required, place, schema: shape }: Field, need: Need): string {
  const schema = resolve<Schema>(shape)
  const parent = path === '' ? '' : `<span class="unseen">${escapeHtml(path)}</span>`
  const limits = bounds(schema).map((text) => `<span class="bound">${escapeHtml(text)}</span>`)
  const where = place === undefined ? '' : `<span class="bound">in the ${escapeHtml(place)}</span>`
  return `<tr role="row" class="d${Math.min(depth, 4)}"><th role="rowheader" scope="row">${parent}<code>${breakable(name)}</code>${required === undefined ? '' : need(required)}</th>
<td role="cell"><span class="type">${escapeHtml(typeWords(resolve, schema))}</span>${where}${limits.join('')}</td>
<td role="cell">${aboutValue(resolve, schema)}</td></tr>`
}

function aboutValue(resolve: Resolve, schema: Schema): string {
  const values = allowedValues(resolve, schema)
  const listed = values?.map((value) => `<code>${escapeHtml(literal(value))}</code>`).join(' ')
  return [
    schema.deprecated ? '<strong>Deprecated.</strong>' : '',
    inline(schema.description ?? ''),
    listed === undefined ? '' : `<span class="values">${values?.length === 1 ? 'Always' : 'One of'} ${listed}</span>`,
    schema.pattern === undefined
      ? ''
      : `<span class="values">Pattern <code>${escapeHtml(schema.pattern)}</code></span>`,
    schema.default === undefined || schema.default === ''
      ? ''
      : `<span class="values">Default <code>${escapeHtml(literal(schema.default))}</code></span>`,
  ]
    .filter(Boolean)
    .join(' ')
}

function literal(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Allows line breaks after underscores only. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll('_', '_<wbr>')
}
