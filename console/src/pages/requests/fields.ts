import { t } from '../../text/text.ts'

const MOST = 200

/** A body as names and values, one line each; undefined where it is no JSON, or was cut. */
export function fieldsOf(text: string): [name: string, value: string][] | undefined {
  try {
    const fields: [string, string][] = []
    gather(JSON.parse(text), '', fields)
    return fields
  } catch {
    return undefined
  }
}

function gather(value: unknown, name: string, fields: [string, string][]): void {
  if (fields.length >= MOST) return
  if (typeof value !== 'object' || value === null) {
    fields.push([name, typeof value === 'string' ? value : JSON.stringify(value)])
    return
  }
  const parts = Object.entries(value)
  if (parts.length === 0 && name !== '') fields.push([name, t('nothing')])
  for (const [part, inner] of parts) {
    const place = Array.isArray(value) ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`
    gather(inner, place, fields)
  }
}
