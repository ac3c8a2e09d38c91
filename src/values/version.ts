import { readFileSync } from 'node:fs'
import { packageFile } from './package-files.ts'
import { isRecord } from './record.ts'

/** The version of this build, as the package names it. */
export function readVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  const found: unknown = JSON.parse(text)
  return isRecord(found) && typeof found.version === 'string' ? found.version : ''
}
