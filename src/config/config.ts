import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseDocument } from 'yaml'
import { airtimeFaults } from '../airtime/settings.ts'
import { readNetwork } from '../callbacks/post/networks.ts'
import { vendorFaults } from '../carriers/http/vendor.ts'
import { probeFaults } from '../carriers/phone/probe.ts'
import { choiceFaults } from '../choice/check.ts'
import type { Entry } from '../live-config/entries.ts'
import { carriersOf, type RouteSettings } from '../messaging/settings.ts'
import { isMistyped } from '../organisations/api-key.ts'
import { checkTemplate } from '../otp/text.ts'
import { readTraceSettings, type TraceSettings } from '../observe/trace/settings.ts'
import { signInFaults } from '../sign-in/settings.ts'
import { moneyFromText } from '../values/money.ts'
import { isCountry } from '../values/phone/phone.ts'
import { withDefaults } from '../values/schema/check.ts'
import type { Fault } from '../values/refusal.ts'
import { readMetricsSettings, type MetricsSettings } from './metrics.ts'
import { placeFaults, withPlace } from './place.ts'
import { mergeEntries } from './merge.ts'
import { withSecrets } from './secrets.ts'
import { numberConfigFaults, withNumbers } from './numbers.ts'
import { LOG_LEVELS, Settings, type FileSettings } from './settings.ts'
import { fitsShape } from './shape-faults.ts'
import { isRecord } from '../values/record.ts'
import { codeOf } from '../values/thrown.ts'

/** The configuration of the process, validated, with defaults applied. */
export type Config = {
  host: string
  port: number
  data_dir: string
  database_url: string | undefined
  api_key: string | undefined
  credit: bigint
  /** Under which one-time passwords are hashed; made and kept when none is given. */
  pepper: string | undefined
  /** While it is rotated: the one before. */
  previous_pepper: string | undefined
  log_level: string
  metrics: MetricsSettings
  /** Where traces go; undefined: nowhere. */
  traces: TraceSettings | undefined
  /** Where people's phones reach us, for tracked links; without a slash at the end. */
  public_url: string
  /** No real carrier: everything ends at the simulator, and callbacks may go to private addresses. */
  sandbox: boolean
  settings: Settings
  /** From which the settings were decided, to decide them again with other entries of operators. */
  source: { env: NodeJS.ProcessEnv; file: unknown; entries: readonly Entry[] }
}

/** All that is wrong with the configuration, in one message. */
export class ConfigFault extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n  ${faults.join('\n  ')}`)
    this.name = 'ConfigFault'
    this.faults = faults
  }
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const path = env.GANGAN_CONFIG
  const { given, faults } = path ? readSettingsFile(path) : { given: {}, faults: [] }
  const with_secrets = withSecrets(env, given)
  return decideConfig(env, with_secrets.file, [...faults, ...with_secrets.faults])
}

/**
 * The second, pure step: checks all of it and reports every fault with its place, after those of reading the files. The
 * entries are those of operators.
 */
export function decideConfig(
  env: NodeJS.ProcessEnv,
  file: unknown,
  found: readonly string[] = [],
  entries: readonly Entry[] = [],
): Config {
  const faults = [...found, ...placeFaults(env)]
  const merged = mergeEntries(file, entries)
  const chosen = whatIsChosen(merged.file) // before the defaults are filled in
  const settings: unknown = withDefaults(Settings, withPlace(env, merged.file ?? {}))
  const is_sound = fitsShape(settings, faults)
  const sandbox = is_sound && isSandbox(settings)
  if (is_sound) {
    // Unless the simulator was chosen explicitly, paid messages would never arrive.
    if (!sandbox && !chosen.vendors) settings.airtime.vendors = []
    if (!sandbox && !chosen.carriers) Object.assign(settings, { carriers: [], routes: [] })
    faults.push(
      ...crossFaults(settings),
      ...numberConfigFaults(settings),
      ...airtimeFaults(settings.airtime),
      ...signInFaults(settings.sign_in),
    )
  }

  const port = Number(env.PORT || 8080)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push('PORT: must be a number from 0 to 65535')
  const credit = moneyFromText(env.GANGAN_CREDIT || '1000000')
  if (credit === undefined || credit < 0n) {
    faults.push('GANGAN_CREDIT: must be an amount of at least 0 with at most four decimals')
  }
  if (env.GANGAN_API_KEY && isMistyped(env.GANGAN_API_KEY)) {
    faults.push('GANGAN_API_KEY: its check sum is wrong, so it was mistyped')
  }
  if (env.DATABASE_URL && !/^postgres(ql)?:\/\//.test(env.DATABASE_URL)) {
    faults.push('DATABASE_URL: must begin with postgres://')
  }
  if (is_sound && env.DATABASE_URL && settings.backups?.wal) {
    faults.push('backups.wal: archives the embedded database only; archive a server of yours with its own tools')
  }
  for (const name of ['GANGAN_PEPPER', 'GANGAN_PEPPER_PREVIOUS'] as const) {
    if (env[name] && env[name].length < SHORTEST_PEPPER) {
      faults.push(`${name}: must have at least ${SHORTEST_PEPPER} characters`)
    }
  }
  if (env.GANGAN_PEPPER && env.GANGAN_PEPPER === env.GANGAN_PEPPER_PREVIOUS) {
    faults.push('GANGAN_PEPPER_PREVIOUS: must differ from GANGAN_PEPPER; leave it out when nothing depends on it')
  }
  const log_level = env.GANGAN_LOG || (is_sound && settings.log_level) || 'info'
  if (!LOG_LEVELS.some((level) => level === log_level))
    faults.push(`GANGAN_LOG: must be one of ${LOG_LEVELS.join(', ')}`)
  const metrics = readMetricsSettings(env, faults)
  const traces = readTraceSettings(env, faults)
  if (!is_sound || faults.length > 0) throw new ConfigFault(faults.map(merged.named))

  const host = env.HOST || '127.0.0.1'
  return {
    host,
    port,
    data_dir: resolve(env.GANGAN_DATA || 'data'),
    database_url: env.DATABASE_URL || undefined,
    api_key: env.GANGAN_API_KEY || undefined,
    credit: credit ?? 0n,
    pepper: env.GANGAN_PEPPER || undefined,
    previous_pepper: env.GANGAN_PEPPER_PREVIOUS || undefined,
    log_level,
    metrics,
    traces,
    public_url: publicUrl(settings, host, port),
    sandbox,
    settings: withNumbers(settings),
    source: { env, file, entries },
  }
}

function isSandbox({ carriers, airtime }: FileSettings): boolean {
  return [...carriers, ...airtime.vendors].every(({ kind }) => kind === 'simulator')
}

/** Whether the file configures airtime vendors and carriers. */
function whatIsChosen(file: unknown): { vendors: boolean; carriers: boolean } {
  const { airtime, carriers, routes } = isRecord(file) ? file : {}
  return {
    vendors: isRecord(airtime) && airtime.vendors !== undefined,
    carriers: carriers !== undefined || routes !== undefined,
  }
}

/** The configuration once it is known which port the system has chosen for 0. */
export function withPort(config: Config, port: number): Config {
  return { ...config, port, public_url: publicUrl(config.settings, config.host, port) }
}

function publicUrl({ public_url }: Pick<Settings, 'public_url'>, host: string, port: number): string {
  return (public_url ? new URL(public_url).href : baseUrl(host, port)).replace(/\/+$/, '')
}

/** An address that means all of them is reached by that of this machine. */
function baseUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const SHORTEST_PEPPER = 16

/** The file as it was given; without a readable one nothing, and the reason. */
function readSettingsFile(path: string): { given: unknown; faults: string[] } {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (fault) {
    return { given: {}, faults: [`GANGAN_CONFIG: ${path} cannot be read (${codeOf(fault)})`] }
  }
  const document = parseDocument(text)
  const faults = document.errors.map(({ message }) => `${path}: ${message.split('\n')[0]}`)
  return faults.length > 0 ? { given: {}, faults } : { given: document.toJS(), faults }
}

/** What the shape cannot say: names are unique, routes lead somewhere, the text of OTPs holds the token. */
function crossFaults({ carriers, routes, otp, organisation, public_url, callbacks }: FileSettings): string[] {
  const template_faults: Fault[] = []
  checkTemplate(otp.template, template_faults)
  const faults = template_faults.map(({ message }) => `otp.template: ${message}`)
  if (!isCountry(organisation.default_country)) {
    faults.push(`organisation.default_country: ${organisation.default_country} is not a country code such as NG`)
  }
  if (public_url !== '' && !URL.canParse(public_url)) faults.push('public_url: must be an http or https address')
  for (const [n, text] of callbacks.allow_networks.entries()) {
    const network = readNetwork(text)
    if ('fault' in network) faults.push(`callbacks.allow_networks.${n}: ${text} ${network.fault}`)
  }
  const names = new Set<string>()
  const probes = new Set<string>()
  const probe_numbers = new Set<string>()
  for (const [n, carrier] of carriers.entries()) {
    if (names.has(carrier.name)) faults.push(`carriers.${n}.name: ${carrier.name} is used twice`)
    names.add(carrier.name)
    if (carrier.kind === 'http') faults.push(...vendorFaults(carrier).map((fault) => `carriers.${n}.${fault}`))
    if (carrier.kind === 'phone') {
      faults.push(...probeFaults(carrier, probe_numbers).map((fault) => `carriers.${n}.${fault}`))
      if (carrier.probe) probes.add(carrier.name)
    }
    if (
      (carrier.kind === 'smpp' || carrier.kind === 'http') &&
      carrier.country !== undefined &&
      !isCountry(carrier.country)
    ) {
      faults.push(`carriers.${n}.country: ${carrier.country} is not a country code such as NG`)
    }
  }
  const route_names = new Set<string>()
  for (const [n, route] of routes.entries()) {
    if (route_names.has(route.name)) faults.push(`routes.${n}.name: ${route.name} is used twice`)
    route_names.add(route.name)
    faults.push(...routeFaults(route, names, probes).map((fault) => `routes.${n}.${fault}`))
  }
  return faults
}

function routeFaults(route: RouteSettings, names: ReadonlySet<string>, probes: ReadonlySet<string>): string[] {
  const key = route.carriers ? 'carriers' : 'carrier'
  if (route.carrier !== undefined && route.carriers) return ['carriers: name either carrier or carriers']
  const own = carriersOf(route)
  if (own.length === 0) return ['carrier: the route leads nowhere']
  if (new Set(own).size < own.length) return ['carriers: a carrier is named twice']
  const unknown = own.filter((name) => !names.has(name)).map((name) => `${key}: there is no carrier ${name}`)
  const receiving = own
    .filter((name) => probes.has(name))
    .map((name) => `${key}: ${name} receives probes; replies would be lost`)
  return [...unknown, ...receiving, ...choiceFaults(route, own)]
}
