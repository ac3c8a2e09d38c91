import type { Template, SmsSendBody as SendBody } from '../../../../clients/typescript/src/types.ts'
import { fillIn, type Placeholder } from './placeholders.ts'
import { withShortLinks } from './short-links.ts'

/** What the form holds. */
export type Draft = {
  recipients: string
  source: 'text' | 'template'
  content: string
  template_id: string
  /** Values by recipient and placeholder; those under `''` are the defaults. */
  values: Record<string, Record<string, string>>
  channel: string
  sender_id: string
  external_ref: string
  callback: string
  is_trackable: boolean
  send_at: string
}

export const EMPTY_DRAFT: Draft = {
  recipients: '',
  source: 'text',
  content: '',
  template_id: '',
  values: {},
  channel: 'sms',
  sender_id: '',
  external_ref: '',
  callback: '',
  is_trackable: false,
  send_at: '',
}

export type DraftBody = Partial<Omit<SendBody, 'channel'>> & { channel: string }

/** The request as the API takes it; what is empty is left out, so that the service says what is missing. */
export function bodyOf(draft: Draft, template: Template | undefined, numbers: readonly string[]): DraftBody {
  const body: DraftBody = {
    channel: draft.channel,
    ...(numbers.length > 0 && { recipients: numbers.join(',') }),
    ...(draft.source === 'text'
      ? draft.content && { content: draft.content }
      : template && { template_id: template.id }),
    ...(draft.sender_id && { sender_id: draft.sender_id }),
    ...(draft.external_ref && { external_ref: draft.external_ref }),
    ...(draft.callback && { callback: draft.callback }),
    ...(draft.is_trackable && { is_trackable: true }),
    ...(draft.send_at && { send_at: draft.send_at }),
  }
  if (draft.source === 'template' && template && template.placeholders.length > 0) {
    body.personalisation = numbers.map((to) => ({ to, substitutions: valuesFor(draft, to) }))
  }
  return body
}

/** Whether there is something to estimate. */
export function isComplete({ recipients, content, template_id }: DraftBody): boolean {
  return Boolean(recipients && (content ?? template_id))
}

export function valuesFor(draft: Draft, number: string): Record<string, string> {
  const given = Object.entries({ ...draft.values[''], ...withoutEmpty(draft.values[number] ?? {}) })
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** The text before values are filled in. */
export function textOf(draft: Draft, template: Template | undefined): string {
  return draft.source === 'text' ? draft.content : (template?.content ?? '')
}

/** The text one of the recipients gets, with the short links of a tracked message. Only templates have placeholders. */
export function textFor(
  draft: Draft,
  template: Template | undefined,
  { number, short_link }: { number: string; short_link: string },
): string {
  const text = textOf(draft, template)
  const filled = draft.source === 'template' ? fillIn(text, valuesFor(draft, number)) : text
  return draft.is_trackable ? withShortLinks(filled, short_link) : filled
}

export function placeholdersIn(draft: Draft, template: Template | undefined): Placeholder[] {
  return draft.source === 'template' ? (template?.placeholders ?? []) : []
}

function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
