import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { freePort } from '../../bench/kannel.ts'
import { until } from './until.ts'

const PROMETHEUS = '/usr/bin/prometheus'

type Config = {
  global: Record<string, string>
  scrape_configs: { static_configs: { targets: string[] }[] }[]
}

export type Prometheus = {
  /** Its API: the field `data` of the response. */
  ask<T>(path: string, query?: Record<string, string>): Promise<T>
  stop(): Promise<void>
}

/** Debian's. */
export function hasPrometheus(): boolean {
  return existsSync(PROMETHEUS)
}

/** Prometheus with the files of `deploy/prometheus`, except for the address it scrapes and its intervals. */
export async function startPrometheus(url: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'gangan-prometheus-'))
  await cp('deploy/prometheus/alerts.yaml', join(folder, 'alerts.yaml'))
  const config = parse(await readFile('deploy/prometheus/prometheus.yaml', 'utf8')) as Config
  Object.assign(config.global, { scrape_interval: '1s', evaluation_interval: '1s' })
  for (const { static_configs } of config.scrape_configs) {
    for (const one of static_configs) one.targets = [new URL(url).host]
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(config))
  const origin = `http://127.0.0.1:${await freePort()}`
  const child = spawn(
    PROMETHEUS,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${new URL(origin).host}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  await until('Prometheus', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${output}`)
    const answer = await fetch(`${origin}/-/ready`).catch(() => undefined)
    return answer?.ok
  })
  return {
    async ask<T>(path: string, query: Record<string, string> = {}) {
      const answer = await fetch(`${origin}/api/v1/${path}?${new URLSearchParams(query).toString()}`)
      const body = (await answer.json()) as { status: string; error?: string; data: T }
      if (body.status !== 'success') throw new Error(`${JSON.stringify(query)}: ${body.error ?? answer.status}`)
      return body.data
    },
    async stop() {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
