import { readFileSync, type Stats } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { carriersOf } from '../messaging/settings.ts'
import type { Finding } from '../status/check.ts'
import { packageFile } from '../values/package-files.ts'
import { codeOf } from '../values/thrown.ts'
import type { Config } from './config.ts'

const ENV_EXAMPLE = packageFile('.env.example')
const OTHERS_MAY_READ = 0o004

/**
 * What a valid configuration probably does not mean, or what will fail once it is used. Reads the files that it names;
 * starts and writes nothing.
 */
export async function configWarnings(env: NodeJS.ProcessEnv, config: Config): Promise<Finding[]> {
  const files = await Promise.all([
    ...(env.GANGAN_CONFIG ? [findReadableByOthers(env.GANGAN_CONFIG, 'GANGAN_CONFIG', holdsSecrets)] : []),
    ...namedFiles(config).map(findNamedFile),
  ])
  return [...files.flat(), ...unknownVariables(env), ...unusedCarriers(config), ...unpriced(config), ...exposed(config)]
}

function warning(summary: string, advice: string): Finding {
  return { level: 'warning', summary, advice }
}

type NamedFile = { place: string; path: string; is_secret: boolean }

/** Files that are read when their part of the service starts. */
function namedFiles({ settings: { carriers, smpp_server } }: Config): NamedFile[] {
  const own = smpp_server?.tls
  return [
    ...(own ? [{ place: 'smpp_server.tls.key', path: own.key, is_secret: true }] : []),
    ...(own ? [{ place: 'smpp_server.tls.cert', path: own.cert, is_secret: false }] : []),
    ...carriers.flatMap((carrier, n) => {
      if (carrier.kind !== 'smpp' || !carrier.tls) return []
      const { ca_file, cert_file, key_file } = carrier.tls
      return Object.entries({ ca_file, cert_file, key_file }).flatMap(([name, path]) =>
        path === undefined ? [] : [{ place: `carriers.${n}.tls.${name}`, path, is_secret: name === 'key_file' }],
      )
    }),
  ]
}

async function findNamedFile({ place, path, is_secret }: NamedFile): Promise<Finding[]> {
  try {
    await access(path, constants.R_OK)
  } catch (fault) {
    const summary = `${place}: ${path} cannot be read (${codeOf(fault)}).`
    return [{ level: 'critical', summary, advice: 'Correct the path, or the rights of the file.' }]
  }
  return is_secret ? findReadableByOthers(path, place, () => true) : []
}

async function findReadableByOthers(
  path: string,
  place: string,
  isSecret: (path: string) => boolean,
): Promise<Finding[]> {
  const found: Stats | undefined = await stat(path).catch(() => undefined)
  if (!found || (found.mode & OTHERS_MAY_READ) === 0 || !isSecret(path)) return []
  return [
    warning(`${place}: ${path} holds secrets and can be read by every user of this machine.`, `chmod 600 ${path}`),
  ]
}

/** Whether a configuration file has a password, a token or a key in it. */
function holdsSecrets(path: string): boolean {
  return SECRET_KEY.test(readFileSync(path, 'utf8'))
}

const SECRET_KEY = /^[ -]*(?:credentials:|\w*(?:password|secrets?|token|api_key): *(?!true\b|false\b)[^\s#])/m

/** A variable of ours with a name that nothing reads is probably misspelled. */
function unknownVariables(env: NodeJS.ProcessEnv): Finding[] {
  const known = new Set([...readFileSync(ENV_EXAMPLE, 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name))
  return Object.keys(env)
    .filter((name) => name.startsWith('GANGAN_') && !known.has(name))
    .sort()
    .map((name) => warning(`${name}: nothing reads this variable.`, 'Correct its name; .env.example lists them all.'))
}

function unusedCarriers({ settings: { carriers, routes } }: Config): Finding[] {
  const used = new Set(routes.flatMap(carriersOf))
  return carriers
    .filter((one) => one.kind !== 'simulator' && !(one.kind === 'phone' && one.probe) && !used.has(one.name))
    .map(({ name }) => warning(`carriers: no route leads to ${name}.`, `Name ${name} in a route, or remove it.`))
}

function unpriced({ settings: { routes, prices } }: Config): Finding[] {
  const priced = new Set(prices.map(({ channel }) => channel))
  return [...new Set(routes.map(({ channel }) => channel))]
    .filter((channel) => !priced.has(channel))
    .map((channel) =>
      warning(`prices: there is no price for ${channel}: its messages are rejected.`, `Add a price for ${channel}.`),
    )
}

/** What is safe on one's own machine, and not with real carriers or other machines. */
function exposed({ sandbox, settings, metrics, host, database_url, pepper }: Config): Finding[] {
  const findings: Finding[] = []
  for (const [n, carrier] of settings.carriers.entries()) {
    if (carrier.kind === 'smpp' && carrier.tls?.insecure) {
      findings.push(
        warning(
          `carriers.${n}.tls.insecure: any certificate of ${carrier.name} is accepted.`,
          'Set tls.ca_file instead.',
        ),
      )
    }
  }
  if (metrics.token === undefined && metrics.port === undefined && !isLocal(host)) {
    findings.push(
      warning(
        'GANGAN_METRICS_TOKEN: every client that reaches the API can read /metrics.',
        'Set a token, or GANGAN_METRICS_PORT with a firewall.',
      ),
    )
  }
  if (sandbox) return findings
  if (settings.public_url === '') {
    findings.push(
      warning(
        'public_url: links and callback addresses lead to this machine only.',
        'Set the address that others reach.',
      ),
    )
  }
  if (database_url !== undefined && pepper === undefined) {
    findings.push(
      warning(
        'GANGAN_PEPPER: the pepper is kept in the database that it protects.',
        'Set a secret of your own before the first organisation is made.',
      ),
    )
  }
  if (database_url === undefined && !settings.backups) {
    findings.push(
      warning('backups: no scheduled backups are configured.', 'Set backups.folder, on another disk than the data.'),
    )
  }
  return findings
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
