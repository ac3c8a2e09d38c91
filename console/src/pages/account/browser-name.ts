import { t } from '../../text/text.ts'

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const NAMES: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux']

/** As much of a user agent as a person wants to know. */
export function browserName(user_agent: string | undefined): string {
  if (user_agent === undefined) return t('unknown||browser')
  const browser = BROWSERS.find((name) => user_agent.includes(`${name}/`))
  const system = SYSTEMS.find((name) => user_agent.includes(name))
  if (browser === undefined) return user_agent.slice(0, 60)
  const name = NAMES[browser] ?? browser
  return system === undefined ? name : t('{browser} on {system}', { browser: name, system })
}
