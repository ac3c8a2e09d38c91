import type { Fault } from '../../../src/http/schema.ts'

/** What is wrong with an entry of a list is told with the entry itself: nobody counts to the fourth number. */
export function faultWords({ field, message }: Fault, name: string, entries: readonly string[] = []): string {
  if (field === name) return message
  const place = /^\[(\d+)\]/.exec(field.slice(name.length))
  const entry = place ? entries[Number(place[1])] : undefined
  if (entry !== undefined) return `“${entry}”: ${message}`
  return `${fieldWords(field.slice(name.length))}: ${message}`
}

/** `personalisation[0].substitutions.order` as people say it: order, of the first. */
export function fieldWords(field: string): string {
  const parts = field.split('.').filter(Boolean)
  const last = parts.at(-1) ?? ''
  const place = /\[(\d+)\]/.exec(field)
  const name = last.replace(/\[\d+\]/g, '').replaceAll('_', ' ')
  const which = place ? `number ${Number(place[1]) + 1}` : ''
  return [name, which].filter(Boolean).join(', ')
}
