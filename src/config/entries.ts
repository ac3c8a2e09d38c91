import type { Configuration, Entry } from '../live-config/entries.ts'
import type { EntryKind } from '../live-config/schema.ts'
import type { Fault } from '../values/refusal.ts'
import { RouteSettings } from '../messaging/settings.ts'
import { withDefaults } from '../values/schema/check.ts'
import { ConfigFault, decideConfig, type Config } from './config.ts'
import { baseEntries } from './merge.ts'
import { CarrierSettings } from './settings.ts'

/** The configuration with the carriers and routes of operators. Throws if they do not fit each other. */
export function withOperatorEntries(config: Config, entries: readonly Entry[]): Config {
  const { env, file } = config.source
  const { settings, sandbox } = decideConfig(env, file, [], entries)
  return { ...config, settings, sandbox }
}

/** The configuration of a process, as changes of operators are validated against it. */
export function makeConfiguration(current: () => Config): Configuration {
  return {
    base: (entries) => baseEntries(current().source.file, entries),
    complete: ({ kind, settings }) => withDefaults(schemaOf(kind, settings.kind), settings),
    check(entries) {
      try {
        const next = withOperatorEntries(current(), entries)
        const { sandbox } = current()
        return { faults: [], needs_restart: next.sandbox && !sandbox, ends_sandbox: sandbox && !next.sandbox }
      } catch (fault) {
        if (fault instanceof ConfigFault) {
          return { faults: fault.faults.flatMap(faultsOf), needs_restart: false, ends_sandbox: false }
        }
        throw fault
      }
    },
  }
}

function schemaOf(kind: EntryKind, carrier_kind: unknown) {
  if (kind === 'route') return RouteSettings
  const own = CarrierSettings.anyOf.find(({ properties }) => properties.kind.const === carrier_kind)
  return own ?? CarrierSettings
}

/** A line about missing properties is an error of each of them. */
function faultsOf(line: string): Fault[] {
  const [, field = 'configuration', message = line] = /^([^ ]+): (.*)$/s.exec(line) ?? []
  const [, missing] = /^must have required properties (.+)$/.exec(message) ?? []
  if (missing === undefined) return [{ field, message: sentenceOf(message), type: 'invalid' }]
  return missing
    .split(', ')
    .map((name) => ({ field: `${field}.${name}`, message: 'This field is required.', type: 'missing' }))
}

/** What the API says of the same violations, which the console translates. */
const SENTENCES: readonly (readonly [RegExp, (limit: string) => string])[] = [
  [/^must be >= (.+)$/, (limit) => `This must be at least ${written(limit)}.`],
  [/^must be <= (.+)$/, (limit) => `This must be at most ${written(limit)}.`],
  [/^must be one of (.+)$/, (values) => `This must be one of: ${values}.`],
  [/^must be (string|number|integer|boolean)$/, (type) => `This value must be ${type}.`],
  [/^must NOT have fewer than 1 characters$/, () => 'This must not be empty.'],
  [/^must NOT have fewer than (\d+) characters$/, (limit) => `This needs at least ${written(limit)} characters.`],
  [/^must NOT have more than (\d+) characters$/, (limit) => `This is too long: at most ${written(limit)} characters.`],
  [/^must NOT have fewer than 1 items$/, () => 'At least one is needed.'],
  [/^must NOT have more than (\d+) items$/, (limit) => `These are too many: at most ${written(limit)}.`],
  [/^must match pattern /, () => 'This is not written as it should be.'],
]

function sentenceOf(message: string): string {
  for (const [pattern, say] of SENTENCES) {
    const found = pattern.exec(message)
    if (found) return say(found[1] ?? '')
  }
  return message
}

function written(limit: string): string {
  return Number(limit).toLocaleString('en')
}
