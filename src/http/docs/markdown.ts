import { escapeHtml } from './html.ts'

/**
 * Renders the Markdown our descriptions use: headings, paragraphs, lists, tables, fenced code, and inline bold, emphasis, code
 * and links. The first heading becomes an `h<level>` and none skips a level, so that the headings of the page stay in
 * order. With `anchorOf` headings can be linked to.
 */
export function markdown(text: string, level: number, anchorOf?: (heading: string) => string): string {
  const html: string[] = []
  let deepest = level - 1
  for (const block of blocks(text)) {
    if (block.kind === 'code') html.push(`<pre class="code"><code>${escapeHtml(block.text)}</code></pre>`)
    else if (block.kind === 'heading') {
      deepest = Math.min(Math.max(level + block.depth - 1, level), deepest + 1, 6)
      const id = anchorOf === undefined ? '' : ` id="${escapeHtml(anchorOf(block.text))}"`
      html.push(`<h${deepest}${id}>${inline(block.text)}</h${deepest}>`)
    } else if (block.kind === 'list') {
      const items = block.items.map((item) => `<li>${inline(item)}</li>`).join('')
      const start = block.start > 1 ? ` start="${block.start}"` : ''
      html.push(block.ordered ? `<ol${start}>${items}</ol>` : `<ul>${items}</ul>`)
    } else if (block.kind === 'table') html.push(table(block.rows))
    else html.push(`<p>${inline(block.text)}</p>`)
  }
  return html.join('\n')
}

type Block =
  | { kind: 'code' | 'paragraph'; text: string }
  | { kind: 'heading'; text: string; depth: number }
  | { kind: 'list'; ordered: boolean; start: number; items: string[] }
  /** The first row has the titles. */
  | { kind: 'table'; rows: string[][] }

const HEADING = /^(#{1,6})\s+(.*)$/
const BULLET = /^\s*(?:[-*]|(\d+)[.)])\s+(.*)$/
const FENCE = /^(\s*)```/
const ROW = /^\|(.+)\|$/
const RULE = /^\|(?:-+\|)+$/

function blocks(text: string): Block[] {
  const found: Block[] = []
  const lines = text.split(/\r?\n/)
  let fresh = true // a blank line ends a paragraph or list
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const last = fresh ? undefined : found.at(-1)
    const heading = HEADING.exec(line)
    const bullet = BULLET.exec(line)
    const fence = FENCE.exec(line)
    if (fence) {
      const end = lines.findIndex((candidate, index) => index > at && FENCE.test(candidate))
      const until = end === -1 ? lines.length : end
      const indent = fence[1]?.length ?? 0
      const code = lines.slice(at + 1, until).map((each) => each.slice(Math.min(indent, each.search(/\S|$/))))
      found.push({ kind: 'code', text: code.join('\n') })
      at = until
    } else if (heading) {
      found.push({ kind: 'heading', depth: heading[1]?.length ?? 1, text: heading[2] ?? '' })
    } else if (bullet) {
      const ordered = bullet[1] !== undefined
      const list = found.at(-1)
      if (list?.kind === 'list' && list.ordered === ordered) list.items.push(bullet[2] ?? '')
      else found.push({ kind: 'list', ordered, start: Number(bullet[1] ?? 1), items: [bullet[2] ?? ''] })
    } else if (ROW.test(line) && RULE.test(lines[at + 1] ?? '')) {
      const end = lines.findIndex((candidate, index) => index > at && !ROW.test(candidate))
      const [titles = '', , ...rest] = lines.slice(at, end === -1 ? lines.length : end)
      found.push({ kind: 'table', rows: [titles, ...rest].map(cellsOf) })
      at += rest.length + 1
    } else if (line.trim() !== '') {
      if (last?.kind === 'paragraph') last.text += ` ${line.trim()}`
      else if (last?.kind === 'list') last.items.push(`${last.items.pop() ?? ''} ${line.trim()}`)
      else found.push({ kind: 'paragraph', text: line.trim() })
    }
    fresh = line.trim() === '' || heading !== null || FENCE.test(line)
  }
  return found
}

function cellsOf(row: string): string[] {
  return (ROW.exec(row)?.[1] ?? '').split('|').map((cell) => cell.trim())
}

function table([titles = [], ...rows]: string[][]): string {
  const head = titles.map((title) => `<th scope="col">${inline(title)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*([^\s*][^*]*)\*/g
const SAFE_TARGET = /^(?:https?:\/\/|mailto:|[/#])/i

/** One line of Markdown. An unsafe link stays text. */
export function inline(text: string): string {
  let html = ''
  let last = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, target, bold, emphasis] = match
    html += escapeHtml(text.slice(last, match.index))
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    else if (label !== undefined && target !== undefined) {
      html += SAFE_TARGET.test(target) ? `<a href="${escapeHtml(target)}">${inline(label)}</a>` : escapeHtml(whole)
    } else if (bold !== undefined) html += `<strong>${inline(bold)}</strong>`
    else html += `<em>${inline(emphasis ?? '')}</em>`
    last = match.index + whole.length
  }
  return html + escapeHtml(text.slice(last))
}
