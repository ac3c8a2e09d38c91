import type { Fault } from '../../../clients/typescript/src/errors.ts'
import { number, t } from '../text/text.ts'

/** A fault of a list item is shown with the item itself rather than its index. */
export function faultWords({ field, message }: Fault, name: string, entries: readonly string[] = []): string {
  if (field === name) return message
  const place = /^\[(\d+)\]/.exec(field.slice(name.length))
  const entry = place ? entries[Number(place[1])] : undefined
  if (entry !== undefined) return t('“{entry}”: {message}', { entry, message })
  return t('{field}: {message}', { field: fieldWords(field.slice(name.length)), message })
}

/** `personalisation[0].substitutions.order` as people say it: order, of the first. */
export function fieldWords(field: string): string {
  const parts = field.split('.').filter(Boolean)
  const last = parts.at(-1) ?? ''
  const place = /\[(\d+)\]/.exec(field)
  const plain = last.replace(/\[\d+\]/g, '')
  const name = FIELDS[plain] ?? plain.replaceAll('_', ' ')
  if (!place) return name
  const n = number(Number(place[1]) + 1)
  return name === '' ? t('number {n}', { n }) : t('{name}, number {n}', { name, n })
}

/** Labels of API fields that no form shows under a label; other fields are shown by name. */
const FIELDS: Readonly<Record<string, string>> = {
  amount: t('amount||field'),
  balance: t('balance||field'),
  body: t('body||field'),
  code: t('code||field'),
  column: t('column||field'),
  columns: t('columns||field'),
  content: t('content||field'),
  email: t('email||field'),
  filters: t('filters||field'),
  from: t('from||field'),
  line: t('line||field'),
  mapping: t('mapping||field'),
  name: t('name||field'),
  network: t('network||field'),
  password: t('password||field'),
  people: t('people||field'),
  phone: t('phone||field'),
  recipient: t('recipient||field'),
  recipients: t('recipients||field'),
  role: t('role||field'),
  rows: t('rows||field'),
  sender_id: t('sender id||field'),
  template_id: t('template id||field'),
  texts: t('texts||field'),
  token: t('token||field'),
  until: t('until||field'),
}
