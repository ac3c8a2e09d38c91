import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { errorsOf, fits, formatErrors, withDefaults } from '../../../values/schema/check.ts'
import { contentFaults } from './faults.ts'
import { Scenario } from './schema.ts'

/** All faults of a scenario, in one message. */
export class ScenarioFault extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The scenario has ${faults.length === 1 ? 'a fault' : 'faults'}:\n  ${faults.join('\n  ')}`)
    this.name = 'ScenarioFault'
    this.faults = faults
  }
}

/** Throws a `ScenarioFault`, or the error of the file system. */
export function readScenario(path: string): Scenario {
  const document = parseDocument(readFileSync(path, 'utf8'))
  if (document.errors.length > 0) throw new ScenarioFault(document.errors.map(({ message }) => firstLine(message)))
  return checkScenario(document.toJS())
}

/** Fills in defaults and validates the whole scenario. */
export function checkScenario(given: unknown): Scenario {
  const scenario = withDefaults(Scenario, given)
  if (!fits(Scenario, scenario)) throw new ScenarioFault(formatErrors(errorsOf(Scenario, scenario)))
  const faults = contentFaults(scenario)
  if (faults.length > 0) throw new ScenarioFault(faults)
  return scenario
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
