import { stringify } from 'yaml'
import { listEntries } from '../live-config/read.ts'
import { ENTRY_KINDS } from '../live-config/schema.ts'
import { withEntries } from './carriers/entries.ts'
import { plainForm, type Command } from './terminal/command.ts'

/** Prints what can be applied again. */
export const exportCommand: Command = [
  plainForm(
    'config',
    'print the carriers and routes in effect as YAML, with placeholders for secrets, for gangan apply',
    {},
    exportConfig,
    ['gangan export config > live.yaml'],
  ),
]

async function exportConfig(): Promise<void> {
  const entries = (await withEntries(listEntries)).filter(({ is_shadowed }) => !is_shadowed)
  const lists = ENTRY_KINDS.map((kind) => [
    `${kind}s`,
    entries.filter((one) => one.kind === kind).map(({ settings }) => settings),
  ])
  process.stdout.write(stringify(Object.fromEntries(lists)))
}
