import type { Fault } from '../../values/refusal.ts'
import { nameKey } from '../keys.ts'
import type { ColumnType } from '../schema.ts'
import { detectType, findFormat, type Detected } from '../types/detect.ts'
import { NUMBER_FORMATS, type Format } from '../types/formats.ts'
import { optionsOf, readFormat, readType } from '../types/read-type.ts'
import type { OpenTable } from '../table.ts'

/** What a request says about the values of a header. */
export type ChosenType = { type?: ColumnType; format?: Format }

type Chosen = { types?: Record<string, string | null> | undefined; formats?: Record<string, string | null> | undefined }

/** The types and formats of the request, by the place of their header. */
export function readChosen(
  place_of: ReadonlyMap<string, number>,
  { types = {}, formats = {} }: Chosen,
  faults: Fault[],
): Map<number, ChosenType> {
  const chosen = new Map<number, ChosenType>()
  const each = (
    given: Record<string, string | null>,
    name: string,
    read: (n: number, text: string, field: string) => void,
  ): void => {
    for (const [header, text] of Object.entries(given)) {
      if (text === null || text === '') continue
      const n = place_of.get(nameKey(header))
      const field = `${name}.${header}`
      if (n !== undefined) read(n, text, field)
      else faults.push({ field, message: 'The file has no such header.', type: 'invalid' })
    }
  }
  each(types, 'types', (n, text, field) => {
    const type = readType(text, field, faults)
    if (type) chosen.set(n, { type })
  })
  each(formats, 'formats', (n, text, field) => {
    const { type } = chosen.get(n) ?? {}
    const format = readFormat(text, type, field, faults)
    if (format) chosen.set(n, { ...(type ? { type } : {}), format })
  })
  return chosen
}

/** The type and format of a new column's values. */
export function typeOf(
  table: OpenTable,
  values: readonly string[],
  chosen: ChosenType | undefined,
  likely: boolean,
): Detected {
  const type = chosen?.type ?? (chosen?.format && typeOfFormat(chosen.format))
  if (!type) return detectType(values, table, likely)
  const options = type.endsWith('SELECT') ? { options: optionsOf(type, values) ?? [] } : {}
  return { type, ...formatOf(table, type, values, chosen), ...options }
}

/** How the values of a column are written: as chosen, or as most of them are. */
export function formatOf(
  table: OpenTable,
  type: ColumnType,
  values: readonly string[],
  chosen: ChosenType | undefined,
): Pick<Detected, 'format' | 'formats'> {
  if (type !== 'NUMBER' && type !== 'DATE') return {}
  if (chosen?.format) return { format: chosen.format }
  const filled = values.filter((value) => value.trim() !== '')
  const { fits: _fits, ...format } = findFormat(type, filled, table)
  return format
}

function typeOfFormat(format: Format): ColumnType {
  return NUMBER_FORMATS.some((one) => one === format) ? 'NUMBER' : 'DATE'
}
