import type { Group } from './read-conf.ts'

/** What a `kannel.conf` becomes: settings of ours, what is to be done besides, and what has no counterpart. */
export type Converted = { settings: { carriers: object[]; routes: object[] }; steps: string[]; left_out: string[] }

export function convertConf(groups: readonly Group[]): Converted {
  const converted: Converted = { settings: { carriers: [], routes: [] }, steps: [], left_out: [] }
  const names = new Set<string>()
  for (const group of groups) {
    if (group.name === 'smsc') convertSmsc(group, names, converted)
    else if (group.name === 'sendsms-user') convertUser(group, converted)
    else if (group.name === 'sms-service') convertService(group, converted)
    else if (group.name === 'core' || group.name === 'smsbox') convertCore(group, converted)
    else leaveOut(converted, group, `group = ${group.name}`, 'no counterpart')
  }
  addRoutes(converted, groups, [...names])
  return converted
}

type Take = (name: string) => string | undefined

/** Returns values by key, and at the end the keys that were not read. */
function taking({ values }: Group): { take: Take; rest: () => string[] } {
  const taken = new Set<string>()
  return {
    take(name) {
      taken.add(name)
      return values.get(name)
    },
    rest: () => [...values.keys()].filter((name) => !taken.has(name)),
  }
}

/** Variables of an SMPP link that say what ours does anyway, or what only Kannel needs to know. */
const NEEDLESS = ['smsc', 'smsc-id', 'transceiver-mode', 'reroute-dlr', 'log-file', 'log-level', 'flow-control']

function convertSmsc(group: Group, names: Set<string>, converted: Converted): void {
  const { take, rest } = taking(group)
  const kind = take('smsc') ?? ''
  if (kind !== 'smpp') return leaveOut(converted, group, `smsc = ${kind}`, 'only SMPP links are carried over')
  const name = nameOf(take('smsc-id') ?? take('host') ?? 'smpp', names)
  const pair = isFalse(take('transceiver-mode')) && take('receive-port') !== undefined
  const carrier = {
    kind: 'smpp',
    name,
    host: take('host') ?? 'localhost',
    port: Number(take('port') ?? 2775),
    system_id: take('smsc-username') ?? '',
    password: take('smsc-password') ?? '',
    ...given('system_type', take('system-type')),
    ...given('address_range', take('address-range')),
    ...(pair ? { mode: 'pair' } : {}),
    ...number('interface_version', take('interface-version'), (text) => Number.parseInt(text, 16)),
    ...(isTrue(take('use-ssl')) ? { tls: {} } : {}),
    ...number('window', take('max-pending-submits')),
    ...number('rate_per_bind', take('throughput')),
    ...number('enquire_every_s', take('enquire-link-interval')),
    ...number('reconnect_after_s', take('reconnect-delay')),
    ...number('binds', take('instances')),
    ...idMode(take('msg-id-type')),
    ...profileOf(take),
  }
  converted.settings.carriers.push(carrier)
  for (const one of ['allowed-prefix', 'preferred-prefix']) take(one)
  for (const one of rest().filter((each) => !NEEDLESS.includes(each))) {
    leaveOut(converted, group, `${one} = ${group.values.get(one) ?? ''}`, `no counterpart (carrier ${name})`)
  }
}

function profileOf(take: Take): { profile?: object } {
  const alphabet = take('alt-charset')?.toLowerCase()
  const profile = {
    ...(alphabet?.includes('8859') || alphabet === 'latin1' ? { alphabet: 'latin1' } : {}),
    ...(alphabet === 'ascii' ? { alphabet: 'ascii' } : {}),
    ...tonNpi('recipient', take('dest-addr-ton'), take('dest-addr-npi')),
    ...tonNpi('sender_number', take('source-addr-ton'), take('source-addr-npi')),
    ...given('service_type', take('service-type')),
    ...number('validity_h', take('validityperiod') ?? take('validity-period'), (text) => Number(text) / 60),
  }
  return Object.keys(profile).length > 0 ? { profile } : {}
}

function tonNpi(field: string, ton: string | undefined, npi: string | undefined): object {
  if (ton === undefined && npi === undefined) return {}
  return { [field]: { ...number('ton', ton), ...number('npi', npi) } }
}

/** Kannel's bits: 1 the answer is hexadecimal, 2 the report is. */
function idMode(bits: string | undefined): { msg_id_mode?: string } {
  if (bits === undefined) return {}
  const value = Number(bits)
  if (value === 1) return { msg_id_mode: 'resp_hex_dlr_dec' }
  if (value === 2) return { msg_id_mode: 'resp_dec_dlr_hex' }
  return { msg_id_mode: 'raw' }
}

/** Its prefixes decide what a link takes; without any, all links share one route in their order. */
function addRoutes(converted: Converted, groups: readonly Group[], names: readonly string[]): void {
  const links = groups.filter(({ name, values }) => name === 'smsc' && values.get('smsc') === 'smpp')
  const open: string[] = []
  const by_prefix = new Map<string, string[]>()
  for (const [n, { values }] of links.entries()) {
    const carrier = names[n] ?? ''
    const listed = values.get('allowed-prefix') ?? values.get('preferred-prefix')
    const prefixes = (listed ?? '').split(';').map((one) => one.trim().replace(/^(\+|00)/, ''))
    const sound = prefixes.filter((one) => /^[0-9]{1,15}$/.test(one))
    if (sound.length === 0) open.push(carrier)
    for (const prefix of sound) by_prefix.set(prefix, [...(by_prefix.get(prefix) ?? []), carrier])
  }
  if (open.length > 0) converted.settings.routes.push({ name: 'sms', channel: 'sms', carriers: open })
  for (const [prefix, carriers] of by_prefix) {
    converted.settings.routes.push({ name: `sms-${prefix}`, channel: 'sms', prefix, carriers })
  }
}

function convertUser(group: Group, converted: Converted): void {
  const { take, rest } = taking(group)
  const username = take('username') ?? take('name') ?? ''
  take('password')
  converted.steps.push(
    `gangan keys create --scopes sms --name '${username.replaceAll("'", '')}'   (its key is the password of this sendsms-user)`,
  )
  const sender = take('default-sender') ?? take('forced-sender')
  if (sender !== undefined) {
    converted.steps.push(`Register the sender ${sender}, and make it the default of the organisation if all use it.`)
  }
  for (const one of rest()) {
    leaveOut(converted, group, `${one} = ${group.values.get(one) ?? ''}`, `no counterpart (sendsms-user ${username})`)
  }
}

function convertService(group: Group, converted: Converted): void {
  const url = group.values.get('get-url') ?? group.values.get('post-url')
  const keyword = group.values.get('keyword') ?? 'default'
  if (url === undefined)
    return leaveOut(converted, group, `sms-service ${keyword}`, 'automatic answers are not supported')
  converted.steps.push(
    `Register a webhook for text.received at ${url.replace(/\?.*/s, '')} (sms-service ${keyword}): POST /webhooks. It receives every text, whatever its first word.`,
  )
}

function convertCore(group: Group, converted: Converted): void {
  const { take, rest } = taking(group)
  const port = take('sendsms-port')
  if (port !== undefined) converted.steps.push(`PORT=${port} lets clients of ${group.name} keep their port.`)
  for (const one of rest()) {
    leaveOut(converted, group, `${one} = ${group.values.get(one) ?? ''}`, 'not needed, or without a counterpart')
  }
}

const SECRET = /pass|secret|key/

/** Secrets are named and not shown: the list is read aloud. */
function leaveOut({ left_out }: Converted, { line, lines }: Group, what: string, why: string): void {
  const [name = '', ...value] = what.split(' = ')
  const shown = value.length > 0 && SECRET.test(name) ? `${name} = …` : what
  left_out.push(`line ${lines.get(name) ?? line}: ${shown}: ${why}.`)
}

function nameOf(wanted: string, names: Set<string>): string {
  const base =
    wanted
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 36) || 'smpp'
  let name = base
  for (let n = 2; names.has(name); n += 1) name = `${base}-${n}`
  names.add(name)
  return name
}

function given<K extends string>(field: K, value: string | undefined): { [P in K]?: string } {
  const found: { [P in K]?: string } = {}
  if (value) found[field] = value
  return found
}

function number(field: string, value: string | undefined, read: (text: string) => number = Number): object {
  const found = value === undefined ? Number.NaN : read(value)
  return Number.isFinite(found) ? { [field]: found } : {}
}

function isTrue(value: string | undefined): boolean {
  return /^(true|yes|on|1)$/i.test(value ?? '')
}

function isFalse(value: string | undefined): boolean {
  return !isTrue(value)
}
