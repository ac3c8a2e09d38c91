import { textOf, type StoredEvent } from './event.ts'

/** Kannel's bits of a report. The intermediate states 4 (buffered) and 8 (accepted by the SMSC) are not reported. */
const BITS: Record<string, number> = { delivered: 1, undelivered: 2, expired: 2, rejected: 16, failed: 16 }

/** Whether the mask of the `dlr-mask` includes this status. */
export function kannelWants(mask: number, status: string): boolean {
  return (mask & (BITS[status] ?? 0)) !== 0
}

/** The `dlr-url` with its escape codes replaced; unknown codes stay as they are. */
export function kannelUrl(url: string, username: string, event: StoredEvent): string {
  const values = valuesOf(username, event)
  return url.replace(/%([A-Za-z%])/g, (code, letter: string) => {
    if (letter === '%') return '%'
    const value = values[letter]
    return value === undefined ? code : encodeURIComponent(value)
  })
}

function valuesOf(username: string, { created_datetime, data }: StoredEvent): Record<string, string> {
  const [from, to] = [textOf(data, 'sender_id'), textOf(data, 'recipient')]
  const at = new Date(created_datetime)
  const status = textOf(data, 'status')
  return {
    d: String(BITS[status] ?? 0),
    A: `${textOf(data, 'code')}/${textOf(data, 'description')}`,
    p: from,
    P: to,
    q: plus(from),
    Q: plus(to),
    t: at.toISOString().slice(0, 19).replace('T', ' '),
    T: String(Math.floor(at.getTime() / 1_000)),
    i: textOf(data, 'channel'),
    I: textOf(data, 'id'),
    F: textOf(data, 'id'),
    n: username,
    // A report has no text, header or account.
    a: '',
    b: '',
    r: '',
    k: '',
    s: '',
    S: '',
    u: '',
    o: '',
    B: '',
    D: '',
    m: '',
    M: '',
    c: '0',
    C: 'UTF-8',
  }
}

function plus(address: string): string {
  return /^[0-9]{7,15}$/.test(address) ? `+${address}` : address
}
