import type { Config } from '../config/config.ts'

/** What a person sees when the service is ready. */
export function banner(config: Config, port: number | undefined, new_api_key: string | undefined): string {
  const mode = config.sandbox
    ? 'Sandbox mode: no real carrier is configured, every message ends at the built-in simulator.'
    : 'Live mode: a real carrier is configured, all protections are on.'
  const lines = ['', `  Gangan is ready. ${mode}`, '']
  if (port !== undefined) {
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    const base_url = `http://${host}:${port}`
    lines.push(`  Base URL   ${base_url}`, `  Reference  ${base_url}/docs`)
  } else {
    lines.push('  This process works on the queue and answers no HTTP.')
  }
  if (new_api_key !== undefined) lines.push(`  API key    ${new_api_key}  (shown only this once)`)
  return `${lines.join('\n')}\n\n`
}
