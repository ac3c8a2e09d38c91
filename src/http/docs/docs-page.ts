import { chapters, resolver, type Chapter, type Document, type Resolve } from './document.ts'
import { answerTable } from './fields.ts'
import { escapeHtml, jsonHtml } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { errorRow, methodHtml, operationHtml, pathHtml } from './operation.ts'
import { STYLES } from './styles.ts'

/** The API reference: one page generated from openapi.json, without scripts and external requests. */
export function docsPage(document: Document): string {
  const resolve = resolver(document)
  const found = chapters(document)
  const { title, version, summary = '', description = '' } = document.info
  const errors = errorsHtml(document, resolve)
  const links = navigation(found, errors !== '')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} API reference</title>
<link rel="icon" href="data:,">
<style>${STYLES}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><a class="brand" href="#top">${escapeHtml(title)}</a> <span>API reference</span>
<a class="file" href="/openapi.json">openapi.json</a> <a class="jump" href="#top">Contents</a></header>
<div class="page">
<nav class="side" aria-label="Reference">
${links}
</nav>
<main id="content" tabindex="-1">
<div class="opening" id="top">
<h1>${escapeHtml(title)} <span class="hint">${escapeHtml(version)}</span></h1>
<p class="lead">${inline(summary)}</p>
<details class="menu"><summary>Contents</summary>
<nav aria-label="Contents">
${links}
</nav></details>
</div>
<section class="introduction" aria-labelledby="introduction">
<h2 id="introduction">Introduction</h2>
${markdown(description, 3)}
</section>
${errors}
${found.map((chapter) => chapterHtml(document, resolve, chapter)).join('\n')}
</main>
</div>
</body>
</html>
`
}

function navigation(found: readonly Chapter[], has_errors: boolean): string {
  const chapterLinks = found.map(({ id, name, entries }) => {
    const items = entries.map(({ id: entry_id, method, path }) => {
      return `<li><a href="#${entry_id}">${methodHtml(method)}<span class="path">${pathHtml(path)}</span></a></li>`
    })
    return `<li><a class="chapter" href="#${id}">${escapeHtml(name)}</a><ul>\n${items.join('\n')}\n</ul></li>`
  })
  const opening = [
    '<li><a class="chapter" href="#introduction">Introduction</a></li>',
    ...(has_errors ? ['<li><a class="chapter" href="#errors">Errors</a></li>'] : []),
  ]
  return `<ul>\n${[...opening, ...chapterLinks].join('\n')}\n</ul>`
}

/** The chapter on errors: their schema, an example, and every status. */
function errorsHtml({ components }: Document, resolve: Resolve): string {
  const responses = Object.entries(components?.responses ?? {})
    .map(([name, response]) => ({ status: /\d{3}/.exec(name)?.[0] ?? name, response }))
    .sort((a, b) => a.status.localeCompare(b.status))
  const media = responses.map(({ response }) => Object.values(response.content ?? {})[0])
  const [first] = media
  if (!first) return ''
  const example = media.find((each) => JSON.stringify(each?.example)?.includes('"errors"'))?.example ?? first.example
  return `<section class="operation" aria-labelledby="errors">
<header><h2 id="errors">Errors</h2></header>
<div class="words">
<p>Every error has this shape, whatever went wrong.</p>
${answerTable(resolve, 'Shape of an error', first.schema ?? {})}
</div>
<div class="wire">
<h3>Example</h3>
<pre class="code"><code>${jsonHtml(JSON.stringify(example ?? {}, null, 2))}</code></pre>
<h3>Statuses</h3>
<dl class="errors">
${responses.map(({ status, response }) => errorRow(status, response)).join('\n')}
</dl>
</div>
</section>`
}

function chapterHtml(document: Document, resolve: Resolve, { id, name, description, entries }: Chapter): string {
  return `<section class="chapter" aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(name)}</h2>
${markdown(description, 3)}
${entries.map((entry) => operationHtml({ document, resolve }, entry)).join('\n')}
</section>`
}
