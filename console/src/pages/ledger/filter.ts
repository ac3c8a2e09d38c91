import { t } from '../../text/text.ts'

export type LedgerFilter = {
  kind: string | undefined
  from: string | undefined
  until: string | undefined
  subject_id: string | undefined
  external_ref: string | undefined
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY_MS = 86_400_000

/** The filters of the address in the format of the service. Days are in the browser's time zone. */
export function readFilter({ kind, from, until, q = '' }: Record<string, string>): LedgerFilter {
  const text = q.trim()
  const is_id = ID.test(text)
  return {
    kind,
    from: from ? new Date(`${from}T00:00:00`).toISOString() : undefined,
    until: until ? new Date(new Date(`${until}T00:00:00`).getTime() + DAY_MS - 1).toISOString() : undefined,
    subject_id: is_id ? text : undefined,
    external_ref: text !== '' && !is_id ? text : undefined,
  }
}

export function isTimed({ from, until }: LedgerFilter): boolean {
  return from !== undefined || until !== undefined
}

export const KINDS: Record<string, string> = {
  opening: t('Opening balance'),
  top_up: t('Top-up'),
  adjustment: t('Correction'),
  message: t('Message'),
  otp: t('One-time password'),
  airtime: t('Airtime'),
  lookup: t('Lookup'),
  refund: t('Refund'),
}
