import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** All that can be checked without running the product, the slowest first, as many at a time as there are processors. */
const CHECKS = [
  'npm run lint --silent',
  'tsc -p tsconfig.json',
  'knip',
  'tsx scripts/lint-openapi.ts',
  'tsx scripts/openapi.ts --check',
  'tsx scripts/clients.ts --check',
  'tsc -p console/tsconfig.json',
  'tsx scripts/figures.ts --check',
  'tsc -p clients/typescript/tsconfig.json --noEmit',
  'oxfmt --check',
]

const waiting = [...CHECKS]
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) await check(command)
  }),
)

/** Prints what a check says once it has ended, so that several do not mix. */
async function check(command) {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) process.exitCode = 1
  process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  ${command}\n${code === 0 ? '' : said}`)
}
