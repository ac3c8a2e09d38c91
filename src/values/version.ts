import { readFileSync } from 'node:fs'
import { isRecord } from './record.ts'

/** The version of this build, as the package names it. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const found: unknown = JSON.parse(text)
  return isRecord(found) && typeof found.version === 'string' ? found.version : ''
}
