import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../values/record.ts'
import type { Entry } from './entries.ts'
import type { FieldChange } from './schema.ts'
import { takeSecrets } from './secrets.ts'

/** Stands for a secret that differs from the one before. */
const NEW_SECRET = '<new secret>'

/** The fields that differ, by their path; secrets are placeholders. */
export function changedFields(before: Entry | undefined, after: Entry | undefined): FieldChange[] {
  const [old, now] = [before, after].map((entry) => fieldsOf(entry))
  const names = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
  return names.flatMap((field): FieldChange[] => {
    const [was, is] = [old?.get(field), now?.get(field)]
    if (was && is && isDeepStrictEqual(was.value, is.value)) return []
    return [
      {
        field,
        ...(was ? { before: was.shown } : {}),
        ...(is ? { after: was && is.is_secret ? NEW_SECRET : is.shown } : {}),
      },
    ]
  })
}

type Field = { value: unknown; shown: unknown; is_secret: boolean }

function fieldsOf(entry: Entry | undefined): ReadonlyMap<string, Field> {
  if (!entry) return new Map()
  const masked = new Map(leavesOf(takeSecrets(entry.kind, entry.settings).settings))
  const leaves = leavesOf(entry.settings).map(([path, value]): [string, Field] => {
    const shown = masked.get(path)
    return [path, { value, shown, is_secret: shown !== value }]
  })
  return new Map(leaves)
}

function leavesOf(value: unknown, path = ''): [string, unknown][] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path, value]]
  return Object.entries(value).flatMap(([name, own]) => leavesOf(own, path === '' ? name : `${path}.${name}`))
}
