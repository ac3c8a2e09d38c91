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
        return { faults: [], needs_restart: next.sandbox !== current().sandbox }
      } catch (fault) {
        if (fault instanceof ConfigFault) return { faults: fault.faults.map(faultOf), needs_restart: false }
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

function faultOf(line: string): Fault {
  const [, field = 'configuration', message = line] = /^([^ ]+): (.*)$/s.exec(line) ?? []
  return { field, message, type: 'invalid' }
}
