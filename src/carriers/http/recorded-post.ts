import type { Post } from './post-scopes.ts'
import type { Endpoint } from './read-posts.ts'

/** A post from a file: the whole HTTP request, or its body alone. */
export type Recorded = { what: Endpoint; post: Post; has_headers: boolean }

const FIRST_LINE = /^(?:GET|POST) (\S+)(?: HTTP\/[\d.]+)?$/

export function readRecorded(bytes: Buffer): Recorded {
  const text = bytes.toString('utf8')
  const [first = ''] = text.slice(0, 10_000).split(/\r?\n/, 1)
  const [, url] = FIRST_LINE.exec(first) ?? []
  if (url === undefined) {
    const post = { url: '/carriers/http/recorded/reports', headers: {}, raw: bytes, ip: '127.0.0.1' }
    return { what: 'reports', post, has_headers: false }
  }
  const end = /\r?\n\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text.trimEnd()
  const body = end ? text.slice(end.index + end[0].length) : ''
  const headers = Object.fromEntries(
    head
      .split(/\r?\n/)
      .slice(1)
      .flatMap((line) => {
        const colon = line.indexOf(':')
        return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
      }),
  )
  const path = url.replace(/^https?:\/\/[^/]+/, '')
  const what = /\/texts(\?|$)/.test(path) ? 'texts' : 'reports'
  return { what, post: { url: path, headers, raw: Buffer.from(body), ip: '127.0.0.1' }, has_headers: true }
}
