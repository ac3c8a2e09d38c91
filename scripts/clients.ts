import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readModel } from './clients/model.ts'
import { phpFiles } from './clients/php.ts'
import { pythonFiles } from './clients/python.ts'
import { consoleFiles, typescriptFiles } from './clients/typescript.ts'
import { describeConsoleApi } from './reference/describe.ts'

/**
 * Writes the generated parts of the clients from `openapi.json` and the types of the console's own operations from their
 * routes, or with `--check` fails when a committed file is stale.
 */

const model = readModel(JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')))
const console_types = consoleFiles(readModel(await describeConsoleApi()), model)
const files = { ...typescriptFiles(model), ...pythonFiles(model), ...phpFiles(model), ...console_types }
const root = fileURLToPath(new URL('../', import.meta.url))
const is_check = process.argv.includes('--check')

for (const [name, text] of Object.entries(files)) {
  const wanted = name.endsWith('.ts') ? formatted(name, text) : text
  if (!is_check) {
    mkdirSync(dirname(root + name), { recursive: true })
    writeFileSync(root + name, wanted)
  } else if (readOr(root + name) !== wanted) {
    process.stderr.write(`${name} is stale: run npm run clients and commit it.\n`)
    process.exitCode = 1
  }
}

function formatted(name: string, text: string): string {
  return execFileSync('node_modules/.bin/oxfmt', ['--stdin-filepath', name], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
