import { applyEntries } from '../live-config/change.ts'
import { ENTRY_KINDS, type EntryChange, type EntryKind, type EntrySettings } from '../live-config/schema.ts'
import { COMMAND_LINE } from '../users/audit.ts'
import { isRecord } from '../values/record.ts'
import { changeEntries, whenInEffect } from './carriers/entries.ts'
import { readYaml } from './carriers/yaml-file.ts'
import { flag, form, type Command } from './terminal/command.ts'
import { usageFault } from './terminal/operator-fault.ts'
import { done, type Result } from './terminal/result.ts'

/** Makes the carriers and routes of operators those of a file. */
export const apply: Command = [
  form(
    'FILE',
    'make the carriers and routes of operators those of a file (- is standard input), as a whole or not at all',
    { 'dry-run': flag('only show what would change') },
    run,
    ['gangan apply live.yaml --dry-run', 'gangan apply live.yaml'],
  ),
]

async function run({ 'dry-run': dry_run = false }: { 'dry-run'?: boolean }, file = ''): Promise<Result> {
  const given = readLists(await readYaml(file), file)
  const made = await changeEntries((deps) => applyEntries(deps, COMMAND_LINE, given, dry_run))
  const { changes } = made
  if (changes.length === 0) return done('Nothing changes.', made)
  const last = dry_run ? 'Nothing was changed.' : `Applied, ${whenInEffect(made)}.`
  return { data: made, text: `${changes.map(described).join('')}${last}\n` }
}

type Lists = { [K in `${EntryKind}s`]?: EntrySettings[] }

function readLists(value: unknown, file: string): Lists {
  if (!isRecord(value) || Array.isArray(value)) throw usageFault(`${file} has neither carriers nor routes.`)
  const known = ENTRY_KINDS.map((kind) => `${kind}s`)
  const others = Object.keys(value).filter((key) => !known.includes(key))
  if (others.length > 0) {
    throw usageFault(`${file}: only carriers and routes can be applied; ${others.join(', ')} cannot.`)
  }
  const lists: Lists = {}
  for (const kind of ENTRY_KINDS) {
    const list = value[`${kind}s`]
    if (list === undefined) continue
    if (!Array.isArray(list) || !list.every(isRecord)) throw usageFault(`${file}: ${kind}s is not a list of ${kind}s.`)
    lists[`${kind}s`] = list
  }
  return lists
}

const MARKS = { created: '+', updated: '~', deleted: '-', reordered: '~' } as const

function described({ kind, name, change, fields }: EntryChange): string {
  const lines =
    change === 'deleted' ? [] : fields.map(({ field, before, after }) => `    ${field}: ${said(before, after)}`)
  return [`${MARKS[change]} ${kind} ${name}`, ...lines].map((line) => `${line}\n`).join('')
}

function said(before: unknown, after: unknown): string {
  if (before === undefined) return JSON.stringify(after)
  return `${JSON.stringify(before)} -> ${after === undefined ? 'removed' : JSON.stringify(after)}`
}
