import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { COMMANDS } from '../src/cli/commands.ts'
import { chooseForm } from '../src/cli/terminal/command.ts'
import { makeMeters } from '../src/observe/meters.ts'
import { anchorOf } from '../src/status/check.ts'
import { THRESHOLDS, type Threshold } from '../src/status/thresholds.ts'
import { openService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/** The metrics and labels of the dashboard and the alerts are those that a running service exports. */

type Rule = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { runbook_url: string }
}
type Panel = {
  id: number
  type: string
  title: string
  targets?: { expr: string; legendFormat: string }[]
  links?: { url: string }[]
}

const read = (file: string): string => readFileSync(file, 'utf8')
const alerts = (parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
const { panels } = JSON.parse(read('deploy/grafana/gangan.json')) as { panels: Panel[] }
const targets = panels.flatMap(({ title, targets: own = [] }) => own.map((target) => ({ title, ...target })))
const asked = [
  ...alerts.map(({ alert, expr }) => ({ of: alert, expr })),
  ...targets.map(({ title, expr }) => ({ of: title, expr })),
]

/** Labels that Prometheus adds to every series. */
const FROM_OUTSIDE = ['instance', 'job']
const { registry } = makeMeters()

type Metric = { name: string; help: string; type: string; labels: string[] }

async function ourMetrics(): Promise<Metric[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type }) => {
    const labels: unknown = Reflect.get(registry.getSingleMetric(name) ?? {}, 'labelNames')
    return { name, help, type: String(type), labels: Array.isArray(labels) ? labels.map(String) : [] }
  })
}

/** The series of a metric by name, each with its labels. */
function seriesOf({ name, type, labels }: Metric): [string, string[]][] {
  if (type !== 'histogram') return [[name, labels]]
  return [
    [`${name}_bucket`, [...labels, 'le']],
    [`${name}_sum`, labels],
    [`${name}_count`, labels],
  ]
}

describe('deploy/', () => {
  let service: TestService
  let exported: Set<string>
  let known: Map<string, string[]>
  beforeAll(async () => {
    service = await openService()
    const text = await (await fetch(`${service.url}/metrics`)).text()
    exported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name))
    known = new Map((await ourMetrics()).filter(({ name }) => exported.has(name)).flatMap(seriesOf))
  })
  afterAll(() => service.close())

  test('has been read', () => {
    expect(alerts.length).toBeGreaterThan(15)
    expect(targets.length).toBeGreaterThan(30)
    expect(known.size).toBeGreaterThan(60)
  })

  test('the time from request to submission is exported, in seconds', async () => {
    expect((await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })).status).toBe(200)
    const labels = 'route="sms",carrier="simulator"'
    const figure = (text: string, name: string): number =>
      Number(text.split(`gangan_submit_latency_seconds_${name}{${labels}} `)[1]?.split('\n')[0])
    const text = await until('the metric', async () => {
      const all = await (await fetch(`${service.url}/metrics`)).text()
      return figure(all, 'count') === 1 && all
    })
    expect(figure(text, 'sum')).toBeGreaterThanOrEqual(0)
    expect(figure(text, 'sum')).toBeLessThan(60) // Not milliseconds.
  })

  test('every metric used by a panel or alert is exported', () => {
    const missing = asked.flatMap(({ of, expr }) =>
      namesIn(expr)
        .filter((name) => !known.has(name))
        .map((name) => `${of}: ${name}`),
    )
    expect(missing).toEqual([])
    expect(asked.filter(({ expr }) => namesIn(expr).length === 0).map(({ of }) => of)).toEqual(['GanganDown'])
  })

  test('and has every label that is queried', () => {
    const wrong = asked.flatMap(({ of, expr }) => {
      const matched = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) => {
        const labels = [...(known.get(name) ?? []), ...FROM_OUTSIDE]
        return labelsIn(matchers).filter((label) => !labels.includes(label))
      })
      const all = new Set([...namesIn(expr).flatMap((name) => known.get(name) ?? []), ...FROM_OUTSIDE])
      const grouped = groupsIn(expr).filter((label) => !all.has(label))
      return [...matched, ...grouped].map((label) => `${of}: ${label}`)
    })
    expect(wrong).toEqual([])
  })

  test('a legend names only labels that remain after grouping', () => {
    const wrong = targets.flatMap(({ title, expr, legendFormat }) => {
      const by = groupsIn(expr)
      const left = by.length > 0 ? by : [...namesIn(expr).flatMap((name) => known.get(name) ?? []), ...FROM_OUTSIDE]
      return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, label = '']) =>
        left.includes(label) ? [] : [`${title}: ${label}`],
      )
    })
    expect(wrong).toEqual([])
  })

  test('brackets are balanced, panels have unique ids', () => {
    for (const { expr } of asked) {
      expect(expr.split('(').length).toBe(expr.split(')').length)
      expect(expr.split('{').length).toBe(expr.split('}').length)
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })
})

const RUNBOOK_URL = 'http://127.0.0.1:8080/docs/runbook'
const runbook = read('docs/runbook.md')
const sections = [...runbook.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading)

describe('docs/runbook.md', () => {
  test('has a section for every alert, and for no other', () => {
    expect(sections.filter((heading) => /^Gangan[A-Z]/.test(heading))).toEqual(alerts.map(({ alert }) => alert))
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`${RUNBOOK_URL}#${alert.toLowerCase()}`)
    }
  })

  test('has the section that each check links to', () => {
    const named = ['read-status.ts', 'backups.ts', 'database.ts', '../cli/status.ts'].flatMap((file) =>
      [...read(`src/status/${file}`).matchAll(/section: '([^']+)'/g)].map(([, section = '']) => section),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((section) => !sections.includes(section))).toEqual([])
  })

  test('is linked to by the dashboard', () => {
    const { links } = JSON.parse(read('deploy/grafana/gangan.json')) as { links: { url: string }[] }
    expect(links.map(({ url }) => url)).toEqual([RUNBOOK_URL])
    const anchors = sections.map((heading) => `${RUNBOOK_URL}#${anchorOf(heading)}`)
    const linked = panels.flatMap(({ links: own = [] }) => own.map(({ url }) => url))
    expect(linked.length).toBeGreaterThan(20)
    expect(linked.filter((url) => !anchors.includes(url))).toEqual([])
  })

  test('links only to sections that exist', () => {
    const linked = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(linked.length).toBeGreaterThan(10)
    expect(linked.filter((anchor) => !sections.map(anchorOf).includes(anchor))).toEqual([])
  })

  test('names commands and options that exist', async () => {
    const in_text = [...runbook.matchAll(/`(?:npx )?gangan ([^`\n]+)`/g)].map(([, command = '']) => command)
    const in_blocks = [...runbook.matchAll(/^gangan (.*)$/gm)].map(([, command = '']) => command)
    const commands = new Set([...in_text, ...in_blocks].map((command) => command.trim()))
    expect(commands.size).toBeGreaterThan(20)
    const wrong: string[] = []
    for (const command of commands) {
      const [name = '', ...args] = command.split(' ')
      if (name === 'version') continue
      try {
        chooseForm(name, (await COMMANDS[name]?.load()) ?? [], args)
      } catch (fault) {
        wrong.push(`${command}: ${String(fault)}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('the thresholds of gangan status', () => {
  const table = Object.values<Threshold>(THRESHOLDS)

  test('are those of the alerts: a page is critical, a ticket is a warning', () => {
    const compared = table.flatMap((threshold) => {
      const rule = alerts.find(({ alert }) => alert === threshold.alert)
      if (threshold.alert === undefined) return []
      if (!rule) throw new Error(`There is no alert ${threshold.alert}.`)
      const value = rule.labels.severity === 'page' ? threshold.critical : threshold.warning
      return [[threshold.alert, inExpression(threshold, value), rule.expr] as const]
    })
    expect(compared.length).toBeGreaterThan(5)
    for (const [alert, bound, expr] of compared) expect(`${alert}: ${expr}`).toMatch(bound)
  })

  test('are in the table of docs/watching.md', () => {
    const unit = { s: 's', share: '', days: 'days', intervals: '', count: '' }
    const shown = (one: Threshold, value: number | undefined): string => {
      if (value === undefined) return '–'
      const number = one.unit === 'share' ? `${100 * value} %` : `${value} ${unit[one.unit]}`.trim()
      return `${one.below ? 'below' : 'above'} ${number}`
    }
    const rows = table.map((one) => {
      const alert = one.alert === undefined ? '–' : `[${one.alert}](runbook.md#${one.alert.toLowerCase()})`
      return `| ${one.figure} | ${shown(one, one.warning)} | ${shown(one, one.critical)} | ${alert} |`
    })
    const documented = read('docs/watching.md').split('| figure | warning | critical | alert |\n|---|---|---|---|\n')[1]
    expect(documented?.split('\n\n')[0]?.split('\n')).toEqual(rows)
  })
})

/** How an expression compares with the value: days and intervals in seconds. */
function inExpression({ unit, below }: Threshold, value: number | undefined): RegExp {
  const number = unit === 'days' || unit === 'intervals' ? `${value} \\* 86400` : String(value).replace('.', '\\.')
  return new RegExp(`${below ? '<' : '>'} ${number}\\)?$`)
}

/** To update it: `npx vitest run test/watching.test.ts -u`. */
test('docs/metrics.md lists every metric', async () => {
  const rows = (await ourMetrics())
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.join(', ')} | ${help} |`)
  const text = [
    '# Metrics',
    '',
    'The metrics of `GET /metrics`, in the format of Prometheus. Written by a test; [watching.md](watching.md) explains which to',
    'watch, and what to do.',
    '',
    '| metric | type | labels | what |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../docs/metrics.md')
})

function namesIn(expr: string): string[] {
  return [...expr.matchAll(/\bgangan_\w+/g)].map(([name]) => name)
}

function labelsIn(matchers: string): string[] {
  return [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label)
}

function groupsIn(expr: string): string[] {
  const lists = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, list = '']) => list)
  return lists.flatMap((list) => list.split(',').map((label) => label.trim()))
}
