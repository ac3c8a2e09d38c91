import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { decideConfig } from '../src/config/config.ts'
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

test.each(FILES.filter((file) => file.endsWith('.yaml')))('%s can be parsed, including anchors', (file) => {
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

test('the health check paths exist', () => {
  const paths = new Set(readOperations().map(({ path }) => path))
  const asked = FILES.flatMap((file) => [...read(file).matchAll(/(?:path: |\$\{process\.env\.PORT\})(\/\w+)/g)])
  expect(asked.map(([, path = '']) => path)).toEqual(['/ready', '/health', '/ready'])
  expect(asked.filter(([, path = '']) => !paths.has(path))).toEqual([])
})

test('all start the file in the package', () => {
  const { bin } = JSON.parse(read('package.json')) as { bin: { gangan: string } }
  for (const file of ['Dockerfile', 'deploy/gangan.service']) {
    expect(read(file)).toContain(`/node_modules/gangan/${bin.gangan}`)
  }
})

type Pod = {
  automountServiceAccountToken?: boolean
  securityContext?: { seccompProfile?: { type: string } }
  containers: { envFrom: unknown; securityContext: { readOnlyRootFilesystem: boolean } }[]
}

test('compose passes every variable of .env to the service, except where it listens and its data', () => {
  type Service = { env_file?: unknown; environment: Record<string, string> }
  const [{ services } = { services: {} }] = parseAllDocuments(read('compose.yaml'), { merge: true }).map(
    (document) => document.toJS() as { services: Record<string, Service> },
  )
  for (const name of ['gangan', 'all-in-one']) {
    const { env_file, environment = {} } = services[name] ?? {}
    expect(env_file).toEqual([{ path: '.env', required: false }])
    expect(Object.keys(environment).sort()).toEqual(['DATABASE_URL', 'GANGAN_DATA', 'HOST', 'PORT'])
  }
})

test('pods have no token of a service account, a read-only root and the seccomp profile of the runtime', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes/gangan.yaml')).map(
    (document) => document.toJS() as object,
  )
  const pods = documents.flatMap((document) => {
    const { spec } = document as { spec?: { template?: { spec: Pod } } }
    return spec?.template ? [spec.template.spec] : []
  })
  expect(pods).toHaveLength(2)
  for (const pod of pods) {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext?.seccompProfile).toEqual({ type: 'RuntimeDefault' })
    expect(pod.containers.map(({ securityContext }) => securityContext.readOnlyRootFilesystem)).toEqual([true])
  }
})

test('the configuration in the manifests is valid', () => {
  const [config = { data: {} }] = parseAllDocuments(read('deploy/kubernetes/gangan.yaml')).map(
    (document) => document.toJS() as { data: Record<string, string> },
  )
  const { data } = config
  const settings: unknown = parseAllDocuments(data['gangan.yaml'] ?? '')[0]?.toJS()
  expect(decideConfig({}, settings).settings.http.drain_s).toBe(5)
})
