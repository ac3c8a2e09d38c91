import type { Config } from '../../config/config.ts'

/** What is shown once, at the first start. */
export type FirstSecrets = { new_api_key?: string | undefined; link_token?: string | undefined }

/** What a person sees when the service is ready. */
export function banner(config: Config, port: number | undefined, secrets: FirstSecrets): string {
  const mode = config.sandbox
    ? 'Sandbox mode: no real carrier is configured, every message ends at the built-in simulator.'
    : 'Live mode: a real carrier is configured, all protections are on.'
  const lines = ['', `  Gangan is ready. ${mode}`]
  if (config.settings.airtime.vendors.length === 0) {
    lines.push('  Airtime is refused, except to test keys: no vendor is configured (airtime.vendors).')
  }
  lines.push('')
  const { new_api_key, link_token } = secrets
  if (port !== undefined) {
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    const base_url = `http://${host}:${port}`
    const seen_url = config.settings.public_url ? config.public_url : base_url
    lines.push(`  Base URL   ${base_url}`, `  Console    ${consoleUrl(seen_url)}`, `  Reference  ${base_url}/docs`)
    if (link_token !== undefined) lines.push(`  Log in     ${consoleUrl(seen_url, link_token)}  (works once)`)
  } else {
    lines.push('  This process works on the queue and answers no HTTP.')
  }
  if (new_api_key !== undefined) {
    const { currency, organisation } = config.settings
    lines.push(`  API key    ${new_api_key}  (shown only this once)`)
    lines.push(
      `  Country    ${organisation.default_country}, amounts in ${currency}  (GANGAN_COUNTRY, GANGAN_CURRENCY)`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** The URL of the console; with a token, of the page for the first sign-in. */
export function consoleUrl(base_url: string, token?: string): string {
  return `${base_url}/console${token === undefined ? '' : `/#/welcome?token=${token}`}`
}
