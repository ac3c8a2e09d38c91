import { createConfig, lint } from '@redocly/openapi-core'
import { fileURLToPath } from 'node:url'

/** Fails where `openapi.json` breaks one of Redocly's recommended rules, warnings as well as errors. */

/** What a rule finds and nobody should mend, with the reason. */
const ACCEPTED = new Map([
  // It leads people elsewhere, and has no success of its own.
  ['operation-2xx-response', '#/paths/~1l~1{code}/get/responses'],
])

const config = await createConfig({ extends: ['recommended'] })
const ref = fileURLToPath(new URL('../openapi.json', import.meta.url))
const found = (await lint({ ref, config })).filter(({ ruleId, location }) => {
  return ACCEPTED.get(ruleId) !== location[0]?.pointer
})
for (const { ruleId, message, location } of found) {
  process.stderr.write(`openapi.json ${location[0]?.pointer ?? ''}: ${message} (${ruleId})\n`)
}
if (found.length > 0) process.exitCode = 1
