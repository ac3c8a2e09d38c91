import type { ProviderAnswer } from '../../numbers/conclude.ts'
import type { HlrSettings } from './schema.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import { isRecord } from '../../values/record.ts'

/**
 * What the provider's JSON says, at the places the configuration names; undefined when it knows nothing of the number.
 * Throws when it is no JSON.
 */
export function readAnswer(
  text: string,
  { fields, operators }: Pick<HlrSettings, 'fields' | 'operators'>,
): ProviderAnswer | undefined {
  const body = parseJson(text)
  if (body === undefined) throw new Error('the answer is not JSON that can be read')
  const operator = readName(valueAt(body, fields.operator))
  const answer = {
    operator: operator === undefined ? undefined : (operators[operator] ?? operator),
    ported: readFlag(valueAt(body, fields.ported)),
    dnd: readFlag(valueAt(body, fields.dnd)),
  }
  return Object.values(answer).some((value) => value !== undefined) ? answer : undefined
}

/** `data.network.name`, and `results.0.name` inside lists. */
function valueAt(body: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined
  let value = body
  for (const part of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

const LONGEST_NAME = 200

/** A name, or a network's code as a number. Empty and overlong ones are no names. */
function readName(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' || text.length > LONGEST_NAME ? undefined : text
}

const YES = ['true', 'yes', 'y', '1', 'ported', 'active', 'on']
const NO = ['false', 'no', 'n', '0', 'not ported', 'not_ported', 'inactive', 'off']

function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const word = String(value).trim().toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : undefined
}
