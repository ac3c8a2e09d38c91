import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildsOf, compared, measureInRounds, THIS_BUILD } from '../bench/builds.ts'
import { fillFigures, putPart } from '../bench/figures.ts'

const BENCHMARKS = readFileSync('docs/benchmarks.md', 'utf8')

test.each(['README.md', 'docs/performance.md'])('the figures of %s are those of docs/benchmarks.md', (file) => {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('<!-- figure: ')
  expect(fillFigures(text, BENCHMARKS)).toBe(text)
})

const RUN = `Node v20, arm64, 4 cores (Neoverse-N1), 24 GiB

## versus

| what | figure |
|---|---|
| connections | 64 · 128 · 256 |
| Gangan, one process: one recipient a request | 9,000 · 19,999 · 1 /s |
| Gangan, two processes: one recipient a request | 9,000 · 10,000 · 99,999 /s |
| &emsp;best, against Kannel | 3.00 × · 0.99 × · 3.00 × |
| Gangan, one process: 1,000 recipients a request, 8 connections | 950 /s |
| Gangan, two processes: the same | 8 /s |

## smpp

| what | figure |
|---|---|
| Kannel on the same line: taken | 5 messages/s |
| &emsp;Gangan against it | 1.10 × |
`

test.each([
  ['cores', '4'],
  ['versus / connections', '64 · 128 · 256'], // A row, unchanged.
  ['versus / Gangan, two processes: one recipient a request / best, against Kannel', '3.00 × · 0.99 × · 3.00 ×'],
  ['single sends of 128 callers', '19,000'], // The better of the two, rounded down.
  ['single sends of 128 callers against Kannel', '0.9'], // Slower is reported, too.
  ['recipients in lists', '950'],
  ['end to end against Kannel', '1.1'],
])('%s is filled with %s', (name, figure) => {
  const marked = (text: string): string => `On <!-- figure: ${name} -->${text}<!-- /figure --> a <!-- note --> day`
  expect(fillFigures(marked('13,600'), RUN)).toBe(marked(figure))
  expect(fillFigures(marked(figure), RUN)).toBe(marked(figure))
})

test('a figure that was not measured is reported', () => {
  expect(() => fillFigures('<!-- figure: end to end -->1<!-- /figure -->', RUN)).toThrow(
    /has no figure "smpp \/ 20,000/,
  )
  expect(() => fillFigures('<!-- figure: cores -->1<!-- /figure -->', '')).toThrow(/has no figure "cores"/)
})

test('an unclosed figure marker is reported', () => {
  expect(() => fillFigures('<!-- figure: cores -->2\n<!-- /figure -->', RUN)).toThrow(/two markers on one line/)
})

test('a part that was run separately replaces its section, or is appended', () => {
  const part = (figure: string) => `## smpp\n\n| what | figure |\n|---|---|\n| taken | ${figure} |\n`
  const before = `# Benchmarks\n\n${part('1')}\n## otp\n\n| what | figure |\n`
  const again = putPart(before, part('2'), 'Run by itself: here.')
  expect(again).toBe(before.replace('## smpp\n', '## smpp\n\nRun by itself: here.\n').replace('| 1 |', '| 2 |'))
  expect(putPart(again, part('3'), 'Run by itself: there.')).toBe(
    again.replace('here', 'there').replace('| 2 |', '| 3 |'),
  )
  const last = putPart('# Benchmarks\n\n## otp\n\nNone.\n', part('4'), 'Run by itself: here.')
  expect(last).toBe(
    `# Benchmarks\n\n## otp\n\nNone.\n\n${part('4').replace('smpp\n', 'smpp\n\nRun by itself: here.\n')}`,
  )
})

test('builds are measured in alternating order and compared by the medians of their rounds', async () => {
  const order: string[] = []
  const seen = await measureInRounds(['old', 'new'], 3, async (build) => {
    order.push(build)
    return { micros: build === 'old' ? 100 * order.length : order.length }
  })
  expect(order).toEqual(['old', 'new', 'new', 'old', 'old', 'new'])
  expect(seen).toEqual([{ micros: 400 }, { micros: 3 }])
  expect(compared([1_234.5, 987.6])).toBe('1,235 → 988 (0.80 ×)')
  expect(compared([0.5], 2)).toBe('0.50')
})

test('one build is measured in one round; a checkout that is not built is rejected', () => {
  expect(buildsOf(undefined, 4)).toEqual({ builds: [THIS_BUILD], rounds: 1 })
  expect(() => buildsOf('test', 4)).toThrow(/is not built: run npm run build there\.$/)
})
