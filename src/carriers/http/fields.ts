import { parsePath, type Path } from './mapping/path.ts'
import type { ReportFault } from './mapping/template.ts'

/** Where a field is: one path or several, or nowhere. */
export type FieldText = string | readonly string[] | undefined

export function compilePaths(
  given: FieldText,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): Path[] {
  const texts = given === undefined ? [] : typeof given === 'string' ? [given] : given
  return texts.flatMap((text) => {
    const path = parsePath(text, roots)
    if (!('fault' in path)) return [path]
    reportFault(place, `${text} ${path.fault}`)
    return []
  })
}

export function compilePath(
  given: string | undefined,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): Path | undefined {
  return compilePaths(given, roots, place, reportFault)[0]
}
