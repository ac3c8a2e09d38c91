/** A reply of an application. */
export type TwimlMessage = { text: string; to?: string; from?: string; status_callback?: string }

/** Messages per response. */
const MAX_MESSAGES = 10
/** Attributes begin with a character that no name contains, so that matching is unambiguous. */
const TAG = /<(\/?)([A-Za-z]+)((?:[\s/](?:[^<>"']|"[^"<]*"|'[^'<]*')*)?)>/y

/**
 * The messages of a TwiML response, `<Response><Message>…</Message></Response>`; `<Sms>` is its old name. Undefined if it
 * is not TwiML: most endpoints answer `ok`, or nothing. Other verbs are ignored. Linear time; only XML's own entities.
 */
export function readTwiml(answer: string): TwimlMessage[] | undefined {
  const xml = answer.replace(/^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?/, '')
  if (!/^<Response[\s/>]/.test(xml)) return undefined
  const messages: TwimlMessage[] = []
  let open: { attributes: string; loose: string; body: string } | undefined
  let inside: 'message' | 'body' | 'other' = 'other'
  for (let at = 0; at < xml.length;) {
    const next = xml.indexOf('<', at)
    if (open && inside !== 'other') {
      const piece = decode(xml.slice(at, next < 0 ? undefined : next))
      if (inside === 'body') open.body += piece
      else open.loose += piece
    }
    if (next < 0) break
    const skipped = skip(xml, next)
    if (skipped) {
      if (open && inside !== 'other') open[inside === 'body' ? 'body' : 'loose'] += skipped.text
      at = skipped.end
      continue
    }
    TAG.lastIndex = next
    const [whole, slash, name = '', attributes = ''] = TAG.exec(xml) ?? []
    if (whole === undefined) return undefined // malformed: nothing is sent
    at = next + whole.length
    const is_message = name === 'Message' || name === 'Sms'
    if (slash === '/') {
      if (is_message && open) {
        if (messages.length < MAX_MESSAGES) messages.push(messageOf(open))
        open = undefined
      }
      inside = open ? 'message' : 'other'
    } else if (is_message && !open) {
      if (!attributes.endsWith('/')) open = { attributes, loose: '', body: '' }
      inside = open ? 'message' : 'other'
    } else if (!attributes.endsWith('/')) {
      inside = open && name === 'Body' ? 'body' : 'other'
    }
  }
  return open ? undefined : messages
}

/** Skips comments, and returns the text of CDATA sections. */
function skip(xml: string, at: number): { text: string; end: number } | undefined {
  for (const [begin, end] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
  ] as const) {
    if (!xml.startsWith(begin, at)) continue
    const found = xml.indexOf(end, at + begin.length)
    const till = found < 0 ? xml.length : found
    return { text: begin === '<!--' ? '' : xml.slice(at + begin.length, till), end: till + end.length }
  }
  return undefined
}

function messageOf({ attributes, loose, body }: { attributes: string; loose: string; body: string }): TwimlMessage {
  const given = attributesOf(attributes)
  const { to, from, statusCallback, action } = given
  const status_callback = statusCallback ?? action
  return {
    text: (body.trim() === '' ? loose : body).trim(),
    ...(to === undefined ? {} : { to }),
    ...(from === undefined ? {} : { from }),
    ...(status_callback === undefined ? {} : { status_callback }),
  }
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/\b([A-Za-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return Object.fromEntries(found.map(([, name, double, single]) => [name, decode(double ?? single ?? '')]))
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
