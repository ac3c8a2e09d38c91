import { readdirSync } from 'node:fs'
import { isRecord } from '../../src/values/record.ts'
import { said } from './said.ts'

/** A shape of a module, as defined there. */
export type Named = { name: string; schema: object }

const SRC = new URL('../../src/', import.meta.url)
const HOMES = /(?:^|\/)(?:schema|[\w-]+-schema|shapes)\.ts$|^values\/page\.ts$/

/** The shapes that modules export, by their structure: a name is given once, where the shape is defined. */
export async function readNames(): Promise<Map<string, Named>> {
  const found: (Named & { module: string })[] = []
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => HOMES.test(file))
  for (const file of files.sort()) {
    const exported: Record<string, unknown> = await import(new URL(file, SRC).href)
    const module = file.split('/').at(-2) ?? ''
    for (const [name, schema] of Object.entries(exported)) {
      if (/^[A-Z]\w*[a-z]/.test(name) && isShape(schema)) found.push({ name, schema, module })
    }
  }
  const names = new Map<string, Named>()
  for (const { name, schema, module } of found) {
    const is_taken = found.some((other) => other.name === name && textOf(other.schema) !== textOf(schema))
    const whole = is_taken ? module.replaceAll(/(^|-)(\w)/g, (_all, _dash, first: string) => first.toUpperCase()) : ''
    const text = textOf(schema)
    if (!names.has(text)) names.set(text, { name: whole + name, schema })
  }
  return names
}

function isShape(schema: unknown): schema is object {
  return isRecord(schema) && schema.type === 'object' && isRecord(schema.properties)
}

/** The same text for equal shapes, in any order of keys. */
export function textOf(schema: unknown): string {
  return JSON.stringify(said(schema), (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}
