/** Access to the metrics. */
export type MetricsSettings = {
  /** A port of their own; undefined: they are read where everything else is. */
  port: number | undefined
  host: string
  /** Required of readers; undefined: public. */
  token: string | undefined
}

const SHORTEST_TOKEN = 16

export function readMetricsSettings(env: NodeJS.ProcessEnv, faults: string[]): MetricsSettings {
  const { GANGAN_METRICS_PORT: given_port, GANGAN_METRICS_TOKEN: token } = env
  const port = given_port ? Number(given_port) : undefined
  if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535)) {
    faults.push('GANGAN_METRICS_PORT: must be a number from 0 to 65535')
  }
  if (port !== undefined && port > 0 && port === Number(env.PORT || 8080)) {
    faults.push('GANGAN_METRICS_PORT: must be another than PORT')
  }
  if (token && (token.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(token))) {
    faults.push(`GANGAN_METRICS_TOKEN: must have at least ${SHORTEST_TOKEN} characters, without blanks`)
  }
  return { port, host: env.GANGAN_METRICS_HOST || env.HOST || '127.0.0.1', token: token || undefined }
}
