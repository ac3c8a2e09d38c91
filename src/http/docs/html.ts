const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

/** JSON with keys and values marked for the styles. */
export function jsonHtml(text: string): string {
  let html = ''
  let last = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match
    html += escapeHtml(text.slice(last, match.index))
    if (quoted === undefined) html += `<span class="n">${escapeHtml(whole)}</span>`
    else if (colon === undefined) html += `<span class="s">${escapeHtml(quoted)}</span>`
    else html += `<span class="k">${escapeHtml(quoted)}</span>${escapeHtml(colon)}`
    last = match.index + whole.length
  }
  return html + escapeHtml(text.slice(last))
}
