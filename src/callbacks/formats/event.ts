import { isRecord } from '../../values/record.ts'

/** A stored event, in the standard format. */
export type StoredEvent = { id: string; type: string; created_datetime: string; data: Record<string, unknown> }

export function readEvent(body: string): StoredEvent {
  const event: unknown = JSON.parse(body)
  if (!isRecord(event) || !isRecord(event.data)) throw new Error('A stored callback does not hold an event.')
  const { id, type, created_datetime, data } = event
  return { id: String(id), type: String(type), created_datetime: String(created_datetime), data }
}

/** A field as text; empty if absent. */
export function textOf(data: Record<string, unknown>, field: string): string {
  const value = data[field]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
