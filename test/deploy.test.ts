import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readOperations } from './support/openapi.ts'

const FILES = [
  'compose.yaml',
  'deploy/kubernetes/gangan.yaml',
  'deploy/prometheus/prometheus.yaml',
  'deploy/prometheus/alerts.yaml',
  'deploy/gangan.service',
  'Dockerfile',
]
const read = (file: string): string => readFileSync(file, 'utf8')

test.each(FILES.filter((file) => file.endsWith('.yaml')))('%s can be read, anchors and all', (file) => {
  const documents = parseAllDocuments(read(file), { merge: true })
  const faults = [...documents].flatMap(({ errors, warnings }) => [...errors, ...warnings])
  expect(faults).toEqual([])
  for (const document of documents) expect(document.toJS()).toBeInstanceOf(Object)
})

test('deployment files set only variables that the service reads', () => {
  const known = new Set([...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name))
  const named = FILES.flatMap((file) => [...read(file).matchAll(/\b((?:GANGAN|OTEL)_[A-Z_]+|DATABASE_URL)\b/g)])
  expect(named.length).toBeGreaterThan(5)
  expect(named.map(([, name]) => name).filter((name) => !known.has(name))).toEqual([])
})

test('the paths that are asked for health are there', () => {
  const paths = new Set(readOperations().map(({ path }) => path))
  const asked = FILES.flatMap((file) => [...read(file).matchAll(/(?:path: |\$\{process\.env\.PORT\})(\/\w+)/g)])
  expect(asked.map(([, path = '']) => path)).toEqual(['/ready', '/health', '/ready'])
  expect(asked.filter(([, path = '']) => !paths.has(path))).toEqual([])
})

test('all start the file that the package has', () => {
  const { bin } = JSON.parse(read('package.json')) as { bin: { gangan: string } }
  for (const file of ['Dockerfile', 'deploy/gangan.service']) {
    expect(read(file)).toContain(`/node_modules/gangan/${bin.gangan}`)
  }
})
