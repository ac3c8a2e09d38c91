import { readFileSync, writeFileSync } from 'node:fs'
import { fillFigures } from '../bench/figures.ts'

/** Writes the figures of docs/benchmarks.md into the documents that repeat them, or with `--check` fails when one differs. */
const benchmarks = read('docs/benchmarks.md')

for (const file of ['README.md', 'docs/performance.md']) {
  const text = read(file)
  const filled = fillFigures(text, benchmarks)
  if (filled === text) continue
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file} has other figures than docs/benchmarks.md: run npm run figures and commit it.\n`)
    process.exitCode = 1
  } else {
    writeFileSync(urlOf(file), filled)
  }
}

function read(file: string): string {
  return readFileSync(urlOf(file), 'utf8')
}

function urlOf(file: string): URL {
  return new URL(`../${file}`, import.meta.url)
}
