import { readFileSync } from 'node:fs'
import { errorsOf, formatErrors, withDefaults } from '../../../values/schema/check.ts'
import { parseDocument } from 'yaml'
import { packageFile } from '../../../values/package-files.ts'
import { codeOf } from '../../../values/thrown.ts'
import type { HttpSettings } from '../schema.ts'
import { Preset } from './schema.ts'

/** The preset of a carrier, or all mistakes in its file. */
export type ReadPreset = { preset: Preset; faults?: undefined } | { preset?: undefined; faults: string[] }

const PRESETS = packageFile('presets/')
const MAX_FILE_LENGTH = 200_000

export function readPreset({ preset, file }: Pick<HttpSettings, 'preset' | 'file'>): ReadPreset {
  if ((preset === undefined) === (file === undefined)) return { faults: ['preset: name either a preset or a file'] }
  const shown = file ?? `presets/${preset}.yaml`
  let text: string
  try {
    text = readFileSync(file ?? new URL(`${preset}.yaml`, PRESETS), 'utf8')
  } catch (fault) {
    return { faults: [`${file === undefined ? 'preset' : 'file'}: ${shown} cannot be read (${codeOf(fault)})`] }
  }
  const read = parsePreset(text)
  return read.faults ? { faults: read.faults.map((fault) => `${shown}: ${fault}`) } : read
}

export function parsePreset(text: string): ReadPreset {
  if (text.length > MAX_FILE_LENGTH) return { faults: [`has more than ${MAX_FILE_LENGTH} characters`] }
  const document = parseDocument(text)
  if (document.errors.length > 0) return { faults: document.errors.map(({ message }) => message.split('\n')[0] ?? '') }
  const given: unknown = withDefaults(Preset, document.toJS({ maxAliasCount: 0 }) ?? {})
  return fits(given) ? { preset: given } : { faults: shapeFaults(given) }
}

function fits(given: unknown): given is Preset {
  return shapeFaults(given).length === 0
}

/** Of a union only the union's own error is reported, not those of each member. */
function shapeFaults(given: unknown): string[] {
  const found = errorsOf(Preset, given)
  const choices = found.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath)
  const reported = found
    .filter(
      ({ keyword, instancePath }) => keyword === 'anyOf' || !choices.some((choice) => instancePath.startsWith(choice)),
    )
    .map((error) => (error.keyword === 'anyOf' ? { ...error, message: NO_FORM } : error))
  return formatErrors(reported)
}

const NO_FORM = 'has none of the forms there are; see docs/carriers.md'
