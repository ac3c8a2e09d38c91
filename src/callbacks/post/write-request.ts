import type { Target } from './connections.ts'

/** What a request is like where it is no post of JSON. */
export type PostForm = {
  /** A GET has no body. */
  method?: 'GET' | 'POST'
  content_type?: string
  /** The answer is read on, and given as it is. */
  keeps_text?: boolean
}

/** The bytes of a request; undefined when a header holds what cannot be sent. */
export function writeRequest(
  { path, host }: Target,
  headers: Record<string, string>,
  body: string,
  { method = 'POST', content_type = 'application/json' }: PostForm,
): string | undefined {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  for (const name of Object.keys(headers)) head += `${name}: ${headers[name]}\r\n`
  if (method === 'POST') head += `content-type: ${content_type}\r\n`
  head += 'user-agent: Gangan\r\n'
  // Two characters end a line and the others are ours: one more of them would be a header nobody meant.
  if (/[^\r\n\x20-\x7e]/.test(head) || head.split('\r\n').length !== Object.keys(headers).length + LINES[method])
    return undefined
  if (method === 'GET') return `${head}\r\n`
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Lines of a head beside the given headers, the empty one at its end included. */
const LINES = { POST: 6, GET: 5 }
