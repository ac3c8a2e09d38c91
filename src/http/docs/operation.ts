import { curlCommand, headerName } from './curl.ts'
import type { Body, Content, Document, Entry, Operation, Parameter, Resolve, Response, Schema } from './document.ts'
import { exampleOf } from './example.ts'
import { answerTable, bodyTable, countFields, parametersTable } from './fields.ts'
import { escapeHtml, jsonHtml } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { clientSamples } from './samples.ts'
import { typeWords } from './wording.ts'

type Deps = { document: Document; resolve: Resolve }

/** One operation: description and parameters on the left, request and answer examples on the right. */
export function operationHtml(deps: Deps, entry: Entry): string {
  const { id, method, path, operation } = entry
  const title = operation.summary ?? `${method} ${path}`
  return `<article class="operation" id="${id}" aria-labelledby="${id}-title">
<header>
<h3 id="${id}-title"><a href="#${id}">${escapeHtml(title)}</a></h3>
<p class="line">${methodHtml(method)} <code>${pathHtml(path)}</code>${keyHtml(operation)}</p>
</header>
<div class="words">
${operation.deprecated ? '<p><strong>Deprecated.</strong></p>' : ''}
${markdown(operation.description ?? '', 4)}
${parametersHtml(deps, entry)}
${bodyHtml(deps, entry)}
${answersHtml(deps, entry)}
${errorsHtml(deps, entry)}
</div>
<div class="wire">
<h4>Request</h4>
<pre class="code curl"><code>${commandHtml(curlCommand(deps.resolve, entry))}</code></pre>${samplesHtml(deps, entry)}
${answers(deps, entry)
  .map(([status, answer]) => exampleHtml(deps, entry, status, answer))
  .join('\n')}
</div>
</article>`
}

/** The call in each client library. */
function samplesHtml({ resolve }: Deps, entry: Entry): string {
  const samples = clientSamples(resolve, entry).map(
    ({ language, text }) => `<h5>${language}</h5>\n<pre class="code"><code>${escapeHtml(text)}</code></pre>`,
  )
  return samples.length === 0
    ? ''
    : `\n<details class="samples"><summary>TypeScript, Python, PHP</summary>\n${samples.join('\n')}\n</details>`
}

/** The scopes an operation needs. */
function keyHtml({ security = [], 'x-scopes': scopes = [] }: Operation): string {
  if (security.length === 0) return ' <span class="open">no key needed</span>'
  if (scopes.length === 0) return ''
  const names = scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(', ')
  return ` <span class="open">${scopes.length === 1 ? 'scope' : 'scopes'} ${names}</span>`
}

export function methodHtml(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** A path may break before a slash; parameters are highlighted. */
export function pathHtml(path: string): string {
  return escapeHtml(path)
    .replaceAll(/\{[^}]*\}/g, (part) => `<span class="slot">${part}</span>`)
    .replaceAll(/(?<=[^</])\//g, '<wbr>/')
}

/** The body of the command highlighted as JSON. */
function commandHtml(command: string): string {
  const at = command.indexOf("-d '{")
  return at === -1 ? escapeHtml(command) : escapeHtml(command.slice(0, at + 4)) + jsonHtml(command.slice(at + 4))
}

function parametersHtml({ document, resolve }: Deps, { method, path, operation }: Entry): string {
  const schemes = (operation.security ?? []).flatMap((wanted) => Object.keys(wanted))
  const keys = schemes.flatMap((name): Parameter[] => {
    const scheme = document.components?.securitySchemes?.[name]
    if (scheme?.name === undefined) return []
    const { name: header, in: place = 'header', description = '' } = scheme
    return [{ name: header, in: place, required: true, description, schema: { type: 'string' } }]
  })
  const own = (operation.parameters ?? [])
    .map((parameter) => resolve<Parameter>(parameter))
    .map((parameter) => (parameter.in === 'header' ? { ...parameter, name: headerName(parameter.name) } : parameter))
  const table = parametersTable(resolve, `Parameters of ${method} ${path}`, [...own, ...keys])
  return table && `<h4>Parameters and headers</h4>\n${table}`
}

function bodyHtml({ resolve }: Deps, { method, path, operation }: Entry): string {
  if (!operation.requestBody) return ''
  const body = resolve<Body>(operation.requestBody)
  const [type = '', schema] = mediaOf(resolve, body.content)
  const optional = body.required === false ? '<p>The body may be left out.</p>' : ''
  const note = type.includes('json') ? '' : `<p>The body is <code>${escapeHtml(type)}</code>.</p>`
  const about = markdown(body.description ?? '', 5)
  const table = bodyTable(resolve, `Body of ${method} ${path}`, schema)
  const plain = table === '' && type.includes('json') ? `<p>${escapeHtml(typeWords(resolve, schema))}</p>` : ''
  return `<h4>Body</h4>\n${about}${optional}${note}${plain}${table}`
}

function answersHtml({ resolve }: Deps, { method, path, operation }: Entry): string {
  return answers({ resolve }, { operation })
    .map(([status, { content }]) => {
      const [, schema] = mediaOf(resolve, content)
      const table = answerTable(resolve, `Answer ${status} of ${method} ${path}`, schema)
      if (table === '') return ''
      const count = countFields(resolve, schema)
      return `<details><summary><h4>Fields of the answer</h4> <span class="hint">${count}</span></summary>\n${table}</details>`
    })
    .join('\n')
}

function errorsHtml({ resolve }: Deps, { operation }: Entry): string {
  const errors = Object.entries(operation.responses ?? {}).filter(([status]) => !/^[123]/.test(status))
  if (errors.length === 0) return ''
  const statuses = errors.map(([status]) => status).join(' · ')
  const rows = errors.map(([status, response]) => errorRow(status, resolve<Response>(response))).join('\n')
  return `<details><summary><h4>Errors</h4> <span class="hint">${escapeHtml(statuses)}</span></summary>\n<dl class="errors">\n${rows}\n</dl></details>`
}

export function errorRow(status: string, { description = '' }: Response): string {
  return `<div><dt>${escapeHtml(status)}</dt><dd>${inline(description)}</dd></div>`
}

/** Success answers. */
function answers({ resolve }: { resolve: Resolve }, { operation }: Pick<Entry, 'operation'>): [string, Response][] {
  return Object.entries(operation.responses ?? {})
    .filter(([status]) => /^[123]/.test(status))
    .map(([status, response]) => [status, resolve<Response>(response)])
}

function exampleHtml({ resolve }: Deps, entry: Entry, status: string, { content, description = '' }: Response): string {
  const [type, schema, given] = mediaOf(resolve, content)
  const said = description === 'Done.' ? '' : `<p class="note">${inline(description)}</p>`
  const heading = `<h4>Answer <span class="hint">${escapeHtml(status)}</span></h4>`
  if (type === undefined) return `${heading}\n<p class="note">No body.</p>`
  const example = given ?? exampleOf(resolve, schema)
  if (!type.includes('json') || example === '…') {
    return `${heading}\n${said || `<p class="note"><code>${escapeHtml(type)}</code></p>`}`
  }
  const json = JSON.stringify(withOwnMeta(example, entry), null, 2)
  return `${heading}\n${said}<pre class="code"><code>${jsonHtml(json)}</code></pre>`
}

function mediaOf(resolve: Resolve, content: Content = {}): [type: string | undefined, schema: Schema, given: unknown] {
  const [type, media] = Object.entries(content)[0] ?? []
  return [type, resolve<Schema>(media?.schema ?? {}), media?.example]
}

/** `meta` describes the request, so a schema shared by operations cannot have its example. */
function withOwnMeta(example: unknown, { method, path }: Entry): unknown {
  if (typeof example !== 'object' || example === null || !('meta' in example)) return example
  const { meta } = example
  if (typeof meta !== 'object' || meta === null || !('resource' in meta)) return example
  return { ...example, meta: { ...meta, method, resource: path } }
}
