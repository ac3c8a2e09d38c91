import { createServer } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Finding } from '../../status/check.ts'
import { codeOf } from '../../values/thrown.ts'

const TIMEOUT_MS = 5_000

type Port = {
  name: string
  setting: string
  host: string
  port: number
  /** Whether what answers there is a Gangan; undefined where it cannot be asked. */
  isOurs?: (base_url: string) => Promise<boolean>
}

/** Every port that the service would listen on: free, or already its own. */
export async function findPorts(config: Config): Promise<Finding[]> {
  return Promise.all(portsOf(config).map(findPort))
}

function portsOf({ host, port, metrics, settings: { smpp_server } }: Config): Port[] {
  const of_metrics = metrics.port
  return [
    { name: 'HTTP', setting: 'PORT', host, port, isOurs: hasOurRunbook },
    ...(of_metrics === undefined
      ? []
      : [
          { name: 'metrics', setting: 'GANGAN_METRICS_PORT', host: metrics.host, port: of_metrics, isOurs: hasMetrics },
        ]),
    ...(smpp_server
      ? [{ name: 'SMPP', setting: 'smpp_server.port', host: smpp_server.host, port: smpp_server.port }]
      : []),
  ]
}

async function findPort({ name, setting, host, port, isOurs }: Port): Promise<Finding> {
  const at = `Port ${port} on ${host} (${name})`
  if (port === 0) return { level: 'ok', summary: `The system chooses the port for ${name}.` }
  const code = await tryListening(host, port)
  if (code === undefined) return { level: 'ok', summary: `${at} is free.` }
  if (code === 'EADDRINUSE') {
    const ours = isOurs === undefined ? undefined : await isOurs(urlOf(host, port)).catch(() => false)
    if (ours === true) return { level: 'ok', summary: `${at} is in use by Gangan.` }
    return {
      level: ours === undefined ? 'ok' : 'critical',
      summary: ours === undefined ? `${at} is in use, perhaps by Gangan.` : `${at} is in use by another program.`,
      ...(ours === undefined ? {} : { advice: `Stop it (ss -ltnp shows it), or set ${setting} to another port.` }),
    }
  }
  return {
    level: 'critical',
    summary: `${at} cannot be listened on (${code}).`,
    advice:
      code === 'EACCES'
        ? `Ports below 1024 need rights: set ${setting} to another one.`
        : `Correct ${setting} or the address.`,
  }
}

/** Undefined if it worked. The port is released immediately. */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (fault) => resolve(codeOf(fault) ?? fault.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

async function hasOurRunbook(base_url: string): Promise<boolean> {
  const response = await fetch(`${base_url}/docs/runbook`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return (await response.text()).includes('<title>Gangan runbook</title>')
}

/** A token is not needed to be recognised: without one the answer is a 401 in our words. */
async function hasMetrics(base_url: string): Promise<boolean> {
  const response = await fetch(`${base_url}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await response.text()
  return response.status === 401 ? text.includes('The token is missing or wrong.') : text.includes('gangan_')
}

function urlOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
