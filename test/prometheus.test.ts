import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPrometheus, startPrometheus, type Prometheus } from './support/prometheus.ts'
import { openService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

type Panel = { title: string; targets?: { expr: string }[] }
type Rule = { name: string; health: string; lastError?: string; state: string }

const { panels } = JSON.parse(readFileSync('deploy/grafana/gangan.json', 'utf8')) as { panels: Panel[] }
const targets = panels.flatMap(({ title, targets: own = [] }) => own.map(({ expr }) => ({ title, expr })))

/** As Grafana sends it when all processes are selected. */
const asGrafanaAsks = (expr: string): string => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')

/** Panels that are empty without such a carrier, phone, server or cluster. */
const OF_SOMETHING_ELSE =
  /^(SMPP|HTTP|Airtime|Our balance|Present|Battery|On the list|Pages in|Nodes|Steps|One-time|Tries|Messages that|Paused|Backups|Disk|Certificates|Size of|Messages held|Callback attempts|Phones online|Messages in flight|Segments in|Trace spans)/

/** Debian's Prometheus with the files of `deploy/`. Skipped, with a note, without the package `prometheus`. */
describe.skipIf(!hasPrometheus())('Prometheus', () => {
  let service: TestService
  let prometheus: Prometheus
  let is_open = true
  beforeAll(async () => {
    service = await openService()
    prometheus = await startPrometheus(service.url)
  })
  afterAll(async () => {
    await prometheus?.stop()
    if (is_open) await service?.close()
  })

  const rules = async (): Promise<Rule[]> => {
    const { groups } = await prometheus.ask<{ groups: { rules: Rule[] }[] }>('rules')
    return groups.flatMap((group) => group.rules)
  }
  const isFound = async (expr: string): Promise<boolean> => {
    const { result } = await prometheus.ask<{ result: unknown[] }>('query', { query: asGrafanaAsks(expr) })
    return result.length > 0
  }

  test('reads our metrics and evaluates every rule without an error', async () => {
    await until('the first metrics', () => isFound('up{job="gangan"} == 1'))
    const seen = await until('every rule to be evaluated', async () => {
      const all = await rules()
      return all.every(({ health }) => health !== 'unknown') && all
    })
    expect(seen.length).toBeGreaterThan(15)
    expect(seen.filter(({ health }) => health !== 'ok')).toEqual([])
    expect(seen.filter(({ state }) => state !== 'inactive').map(({ name }) => name)).toEqual([])
  })

  test('evaluates every panel of the dashboard, and those with local data show it', async () => {
    await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    const silent = async (): Promise<string[]> => {
      const found = await Promise.all(targets.map(async ({ title, expr }) => [title, await isFound(expr)] as const))
      return found.flatMap(([title, has_figure]) => (has_figure || OF_SOMETHING_ELSE.test(title) ? [] : [title]))
    }
    await expect.poll(silent, { timeout: 30_000 }).toEqual([])
    await until('the delivery', () => isFound('gangan_deliveries_total{status="delivered"} == 1'))
    expect(await isFound('gangan_deliveries_accepted_total{channel="sms"} == 1')).toBe(true)
  })

  test('detects that the service is down', async () => {
    await service.close()
    is_open = false
    const down = await until('the alert', async () =>
      (await rules()).find(({ name, state }) => name === 'GanganDown' && state !== 'inactive'),
    )
    expect(down.state).toBe('pending') // For a minute.
  })
})
