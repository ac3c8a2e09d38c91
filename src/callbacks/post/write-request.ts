import type { Target } from './connections.ts'

/** How a request differs from a POST of JSON. */
export type PostForm = {
  method?: 'GET' | 'POST'
  content_type?: string
  /** Reads the whole response and returns its text. */
  keeps_text?: boolean
}

/** The text of a request; undefined if a header holds a character that cannot be sent. */
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
  // Prevents header injection: only our own lines may end in CR LF.
  if (/[^\r\n\x20-\x7e]/.test(head) || head.split('\r\n').length !== Object.keys(headers).length + LINES[method])
    return undefined
  if (method === 'GET') return `${head}\r\n`
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Lines of a head besides the given headers, including the empty one at its end. */
const LINES = { POST: 6, GET: 5 }
