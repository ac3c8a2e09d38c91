import { call } from '../../api.ts'
import { CAMPAIGNS } from './campaigns.ts'

const LINES_PER_PART = 5_000

/** Uploads a file in parts, each with its own idempotency key: a retried part is added once. */
export async function uploadFile(
  { id, organisation_id }: { id: string; organisation_id: string },
  csv: string,
  onProgress: (done: number) => void,
): Promise<void> {
  await call('DELETE', `${CAMPAIGNS}/${id}/recipients`, undefined, { organisation_id })
  const attempt = String(Date.now())
  let done = 0
  for (const [n, part] of partsOf(csv).entries()) {
    const options = { organisation_id, idempotency_key: `${id} ${attempt} ${n}` }
    const { uploaded } = await call('POST', `${CAMPAIGNS}/${id}/recipients`, { csv: part }, options)
    done = uploaded
    onProgress(done)
  }
}

/** Splits a file into parts, each with the header line. A line break within quotes does not end a line. */
export function partsOf(csv: string): string[] {
  const lines: string[] = []
  let begin = 0
  let quoted = false
  for (let at = 0; at < csv.length; at += 1) {
    const letter = csv[at]
    if (letter === '"') quoted = !quoted
    if (letter !== '\n' || quoted) continue
    lines.push(csv.slice(begin, at + 1))
    begin = at + 1
  }
  if (begin < csv.length) lines.push(csv.slice(begin))
  const head = withHead(lines)
  const parts: string[] = []
  for (let n = 0; n < head.rest.length; n += LINES_PER_PART) {
    parts.push(head.first + head.rest.slice(n, n + LINES_PER_PART).join(''))
  }
  return parts
}

/** A file as it is uploaded: with a header line, which a plain list of numbers does not have. */
export function withHeader(csv: string): string {
  const { first, rest } = withHead(csv.split(/(?<=\n)/))
  return first + rest.join('')
}

/** Adds a header line to a plain list of numbers. */
function withHead(lines: readonly string[]): { first: string; rest: readonly string[] } {
  const [first = '', ...rest] = lines
  if (/[A-Za-z]/.test(first)) return { first: first.endsWith('\n') ? first : `${first}\n`, rest }
  return { first: 'Mobile\n', rest: lines }
}
