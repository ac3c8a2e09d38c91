/**
 * Where the events of a request are told, and in whose form. It is kept in the column of the callback: a plain URL is
 * told in ours, and any other form stands in front of the URL, parted from it by a blank. So a message costs the same
 * whatever form its sender wants. No customer can write one: what they give is checked to be a URL.
 */
export type CallbackAddress =
  | { format: 'standard'; url: string }
  | { format: 'twilio'; url: string; account_sid: string; key_id: string }
  | { format: 'kannel'; url: string; mask: number; username: string }

/** The form in front of a URL, without the URL. */
export function twilioForm(account_sid: string, key_id: string): string {
  return `twilio:${account_sid}:${key_id}`
}

export function kannelForm(mask: number, username: string): string {
  return `kannel:${mask}:${encodeURIComponent(username)}`
}

export function readAddress(stored: string): CallbackAddress {
  const blank = stored.indexOf(' ')
  if (blank < 0 || stored.startsWith('http')) return { format: 'standard', url: stored }
  const url = stored.slice(blank + 1)
  const [format, first = '', second = ''] = stored.slice(0, blank).split(':')
  if (format === 'twilio') return { format, url, account_sid: first, key_id: second }
  if (format === 'kannel') return { format, url, mask: Number(first), username: decodeURIComponent(second) }
  return { format: 'standard', url: stored }
}

/** The URL alone, for whoever reads it. */
export function urlOf(stored: string): string {
  return readAddress(stored).url
}
