import { createConfig, lint } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Fails if `openapi.json` violates a recommended rule of Redocly or of Spectral, including warnings. */

/** Accepted violations, with the reason. */
const ACCEPTED = new Map([
  // It redirects, and has no successful response of its own.
  ['operation-2xx-response', '#/paths/~1l~1{code}/get/responses'],
  ['operation-success-response', '#/paths/~1l~1{code}/get/responses'],
])

type Finding = { rule: string; pointer: string; message: string }

const file = fileURLToPath(new URL('../openapi.json', import.meta.url))
const found = [...(await askRedocly()), ...(await askSpectral())]
for (const { rule, pointer, message } of found) {
  if (ACCEPTED.get(rule) === pointer) continue
  process.stderr.write(`openapi.json ${pointer}: ${message} (${rule})\n`)
  process.exitCode = 1
}

async function askRedocly(): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lint({ ref: file, config })
  return problems.map(({ ruleId, message, location }) => {
    return { rule: ruleId, pointer: location[0]?.pointer ?? '', message }
  })
}

async function askSpectral(): Promise<Finding[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }))
  const problems = await linter.run(new spectral.Document(readFileSync(file, 'utf8'), parsers.Json, file))
  return problems.map(({ code, message, path }) => {
    const steps = path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
    return { rule: String(code), pointer: ['#', ...steps].join('/'), message }
  })
}
