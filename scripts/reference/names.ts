import { readdirSync } from 'node:fs'
import { isRecord } from '../../src/values/record.ts'
import { said } from './said.ts'

/** A shape of a room, as it is written where it stands. */
export type Named = { name: string; schema: object }

const SRC = new URL('../../src/', import.meta.url)
const HOMES = /(?:^|\/)(?:schema|[\w-]+-schema|shapes)\.ts$|^values\/page\.ts$/

/** The shapes that rooms export, by what they look like: a name is given once, where the shape is. */
export async function readNames(): Promise<Map<string, Named>> {
  const found: (Named & { room: string })[] = []
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => HOMES.test(file))
  for (const file of files.sort()) {
    const exported: Record<string, unknown> = await import(new URL(file, SRC).href)
    const room = file.split('/').at(-2) ?? ''
    for (const [name, schema] of Object.entries(exported)) {
      if (/^[A-Z]\w*[a-z]/.test(name) && isShape(schema)) found.push({ name, schema, room })
    }
  }
  const names = new Map<string, Named>()
  for (const { name, schema, room } of found) {
    const is_taken = found.some((other) => other.name === name && textOf(other.schema) !== textOf(schema))
    const whole = is_taken ? room.replaceAll(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase()) : ''
    const text = textOf(schema)
    if (!names.has(text)) names.set(text, { name: whole + name, schema })
  }
  return names
}

function isShape(schema: unknown): schema is object {
  return isRecord(schema) && schema.type === 'object' && isRecord(schema.properties)
}

/** The same text for the same shape, however its keys are ordered. */
export function textOf(schema: unknown): string {
  return JSON.stringify(said(schema), (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}
