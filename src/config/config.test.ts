import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { needsRestart } from './compare.ts'
import { ConfigFault, decideConfig } from './config.ts'
import { withSecrets } from './secrets.ts'
import { Settings } from './settings.ts'

const example = readFileSync(new URL('../../gangan.example.yaml', import.meta.url), 'utf8')
const env_example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')

function faultsOf(env: NodeJS.ProcessEnv, file: unknown): string {
  try {
    decideConfig(env, file)
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault.message
    throw fault
  }
  return ''
}

describe('the configuration', () => {
  test('has a default for everything', () => {
    expect(decideConfig({}, {})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      credit: 10_000_000_000n,
      sandbox: true,
      database_url: undefined,
      settings: { currency: 'NGN', organisation: { default_country: 'NG', default_sender_id: 'Gangan' } },
    })
  })

  test('uses the configured country and currency, with prices for it and for abroad', () => {
    const ghana = decideConfig({ GANGAN_COUNTRY: 'GH', GANGAN_CURRENCY: 'GHS' }, { organisation: { name: 'Shop' } })
    expect(ghana.settings).toMatchObject({
      currency: 'GHS',
      organisation: { name: 'Shop', default_country: 'GH' },
      prices: [{ prefix: '233' }, { prefix: '' }, { prefix: '233' }, { prefix: '' }],
    })
    const prices = [{ channel: 'sms', prefix: '', price: 1 }]
    expect(decideConfig({ GANGAN_COUNTRY: 'GH' }, { prices }).settings.prices).toEqual(prices)
    expect(decideConfig({}, { organisation: { default_country: 'KE' } }).settings.prices[0]?.prefix).toBe('254')
    const message = faultsOf({ GANGAN_COUNTRY: 'Ghana', GANGAN_CURRENCY: 'cedi' }, {})
    expect(message).toContain('GANGAN_COUNTRY: must be a country code such as NG')
    expect(message).toContain('GANGAN_CURRENCY: must be a currency code such as NGN')
  })

  test('reports all faults together, each with its location', () => {
    const message = faultsOf(
      { PORT: 'x', GANGAN_CREDIT: '-1', DATABASE_URL: 'mysql://x', GANGAN_LOG: 'loud' },
      { prices: [{ channel: 'sms', prefix: 'abc', price: -1 }], colour: 'red' },
    )
    for (const place of [
      'PORT',
      'GANGAN_CREDIT',
      'DATABASE_URL',
      'GANGAN_LOG',
      'prices.0.prefix',
      'prices.0.price',
      'colour',
    ]) {
      expect(message).toContain(place)
    }
  })

  test('knows that routes lead somewhere and names are unique', () => {
    const route = { name: 'a', channel: 'sms', carrier: 'unknown' }
    const message = faultsOf({}, { routes: [route, route] })
    expect(message).toContain('routes.0.carrier: there is no carrier unknown')
    expect(message).toContain('routes.1.name: a is used twice')
  })

  test('knows which networks may be called', () => {
    const allow_networks = ['10.0.0.0/8', '10.0.0.1/8', '0.0.0.0/0', 'app.internal', '169.254.0.0/16', 'fd00::/8']
    expect(faultsOf({}, { callbacks: { allow_networks } }).split('\n').slice(1)).toEqual([
      '  callbacks.allow_networks.1: 10.0.0.1/8 names a host in it; the network is 10.0.0.0/8',
      '  callbacks.allow_networks.2: 0.0.0.0/0 is too wide; at most 10.0.0.0/8',
      '  callbacks.allow_networks.3: app.internal is neither a network such as 10.0.0.0/8 nor an address',
      '  callbacks.allow_networks.4: 169.254.0.0/16 is too wide; link-local addresses are named one by one',
    ])
    expect(faultsOf({}, { callbacks: { allow_networks: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'] } })).toBe('')
    expect(faultsOf({}, { callbacks: { allow_networks: '10.0.0.0/8' } })).toContain('callbacks.allow_networks')
  })

  test('knows what the text of an OTP needs, and that a pepper is long', () => {
    const message = faultsOf({ GANGAN_PEPPER: 'short' }, { otp: { template: 'Hello {{name}}' } })
    expect(message).toContain('GANGAN_PEPPER: must have at least 16 characters')
    expect(message).toContain('otp.template: There is no placeholder {{name}}')
    expect(message).toContain('otp.template: The text must have {{token}} in it.')
  })

  test('knows that the peppers of a rotation differ, and which database it can archive', () => {
    const pepper = 'a pepper that is long enough'
    expect(faultsOf({ GANGAN_PEPPER: pepper, GANGAN_PEPPER_PREVIOUS: pepper }, {})).toContain('must differ')
    expect(faultsOf({ GANGAN_PEPPER: pepper, GANGAN_PEPPER_PREVIOUS: 'short' }, {})).toContain(
      'GANGAN_PEPPER_PREVIOUS: must have at least 16 characters',
    )
    const backups = { folder: '/backups', wal: {} }
    expect(decideConfig({}, { backups }).settings.backups?.wal).toEqual({ every_s: 60 })
    expect(faultsOf({ DATABASE_URL: 'postgres://x' }, { backups })).toContain('backups.wal: archives the embedded')
  })

  test('takes the log level from the environment, or else from the file', () => {
    expect(decideConfig({}, { log_level: 'warn' }).log_level).toBe('warn')
    expect(decideConfig({ GANGAN_LOG: 'error' }, { log_level: 'warn' }).log_level).toBe('error')
    expect(faultsOf({}, { log_level: 'loud' })).toContain('log_level: must be one of silent, error, warn, info, debug')
  })

  test('knows what a running service cannot apply', () => {
    const smpp = { kind: 'smpp', name: 'mtn', host: 'x', port: 1, system_id: 'a', password: 'b' }
    const prices = [{ channel: 'sms', price: 1 }]
    const running = decideConfig({}, {})
    expect(needsRestart(running, decideConfig({}, { prices, log_level: 'warn' }))).toEqual([])
    expect(needsRestart(running, decideConfig({}, { retention: { otps_days: 9 }, dnd: 'transactional' }))).toEqual([
      'dnd',
      'retention',
    ])
    const live = decideConfig({}, { carriers: [smpp], routes: [{ name: 'sms', channel: 'sms', carrier: 'mtn' }] })
    expect(needsRestart(running, live)).toContainEqual(expect.stringContaining('carriers and routes'))
    expect(needsRestart(live, live)).toEqual([])
  })

  test('validates sign-in providers and their rules', () => {
    const one = { name: 'company', label: 'Company', issuer: 'https://login.example', client_id: 'gangan' }
    const roles = [{ claim: 'groups', value: 'a', organisation: 'first', role: 'admin' }]
    const existing_users = ['019A0000-0000-7000-8000-000000000000', 'first', 'operators', '*']
    expect(faultsOf({}, { sign_in: { providers: [{ ...one, roles, existing_users }] } })).toBe('')
    const by_name = { ...one, roles: [{ ...roles[0], organisation: '*' }], existing_users: ['Acme'] }
    expect(
      faultsOf({}, { sign_in: { providers: [by_name] } })
        .split('\n')
        .slice(1),
    ).toEqual([
      '  sign_in.providers.0.roles.0.organisation: * is neither the id of an organisation (see gangan organisations list) nor one of first',
      '  sign_in.providers.0.existing_users.0: Acme is neither the id of an organisation (see gangan organisations list) nor one of first, operators, *',
    ])
    expect(faultsOf({}, { sign_in: { password: false } })).toContain(
      'sign_in.password: must be true if there are no providers',
    )
    const providers = [
      { ...one, issuer: 'http://login.example', scopes: ['email'], parameters: { state: 'x' } },
      { ...one, issuer: 'http://127.0.0.1:9', roles, check_s: 60, unreachable_s: 59 },
      { ...one, name: 'other', issuer: 'http://127.0.0.1:9', roles },
    ]
    expect(faultsOf({}, { sign_in: { providers } }).split('\n').slice(1)).toEqual([
      '  sign_in.providers.0.issuer: must be an https address without a query (http only on this machine)',
      '  sign_in.providers.0.scopes: openid is missing',
      '  sign_in.providers.0.parameters.state: is set by Gangan and cannot be configured',
      '  sign_in.providers.0.roles: at least one of roles, operators and existing_users is required',
      '  sign_in.providers.1.unreachable_s: must be at least check_s',
      '  sign_in.providers.1.name: company is used twice',
      '  sign_in.providers.2.issuer: http://127.0.0.1:9 is used twice',
    ])
    expect(faultsOf({}, { sign_in: { providers: [{ ...one, roles: [{ ...roles[0], role: 'king' }] }] } })).toContain(
      'sign_in.providers.0.roles.0.role',
    )
  })

  test('reads a secret from where the file says it is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gangan-secret-'))
    const path = join(folder, 'secret')
    writeFileSync(path, 'kept in a file\n')
    const secretsOf = (...providers: object[]) => withSecrets({ SECRET: 'kept outside' }, { sign_in: { providers } })
    expect(secretsOf({ client_secret_env: 'SECRET' }, { client_secret_file: path }, {})).toMatchObject({
      file: { sign_in: { providers: [{ client_secret: 'kept outside' }, { client_secret: 'kept in a file' }, {}] } },
      faults: [],
    })
    const wrong = secretsOf(
      { client_secret_env: 'UNSET' },
      { client_secret_file: `${path}-not` },
      { client_secret: 'a', client_secret_env: 'SECRET' },
    )
    expect(wrong.faults).toEqual([
      'sign_in.providers.0.client_secret_env: UNSET is not set',
      `sign_in.providers.1.client_secret_file: ${path}-not cannot be read (ENOENT)`,
      'sign_in.providers.2.client_secret: name one of client_secret, client_secret_env, client_secret_file',
    ])
    rmSync(folder, { recursive: true })
  })

  test('refuses a key whose check sum is wrong', () => {
    expect(faultsOf({ GANGAN_API_KEY: `gg_live_${'a'.repeat(49)}` }, {})).toContain('GANGAN_API_KEY')
  })
})

describe('the public address', () => {
  test.each([
    ['', {}, 'http://127.0.0.1:8080'],
    ['', { HOST: '0.0.0.0', PORT: '90' }, 'http://127.0.0.1:90'],
    ['', { HOST: '10.0.0.7' }, 'http://10.0.0.7:8080'],
    ['', { HOST: 'fd00::7' }, 'http://[fd00::7]:8080'],
    ['https://gg.ng/', {}, 'https://gg.ng'],
    ['https://gg.ng/s/', {}, 'https://gg.ng/s'],
    ['https://ọ̀rọ̀.ng', {}, 'https://xn--r-ubbb975zca.ng'],
  ])('%j with %j is %s', (public_url, env, expected) => {
    expect(decideConfig(env, { public_url }).public_url).toBe(expected)
  })

  test.each(['gg.ng', 'ftp://gg.ng', 'https://', 'https://gg.ng?x', 'https://[gg'])('is not %j', (public_url) => {
    expect(faultsOf({}, { public_url })).toContain('public_url')
  })
})

describe('the sample file', () => {
  test('is the default configuration, word for word', () => {
    expect(decideConfig({}, parse(example)).settings).toEqual(decideConfig({}, {}).settings)
  })

  test('explains every key', () => {
    const keys = keysOf(Settings as Shape)
    expect(keys.length).toBeGreaterThan(15)
    expect(keys.filter((key) => !new RegExp(`^[\\s#-]*${key}:`, 'm').test(example))).toEqual([])
  })
})

test('.env.example has every variable that is read, and no other', () => {
  const files = ['config.ts', 'place.ts', 'metrics.ts', '../observe/trace/settings.ts', '../observe/trace/sampler.ts']
  const source = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join()
  const named = /\benv\.([A-Z_]+)|\b((?:GANGAN|OTEL)_[A-Z_]*[A-Z])\b/g
  const read = new Set([...source.matchAll(named)].map(([, field, name]) => field ?? name))
  const shown = new Set([...env_example.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]))
  expect([...read].sort()).toEqual([...shown].sort())
})

type Shape = { properties?: Record<string, Shape>; items?: Shape; anyOf?: Shape[] }

function keysOf(shape: Shape): string[] {
  const own = Object.entries(shape.properties ?? {}).flatMap(([key, inner]) => [key, ...keysOf(inner)])
  return [...own, ...(shape.items ? keysOf(shape.items) : []), ...(shape.anyOf ?? []).flatMap(keysOf)]
}

describe('the carriers', () => {
  const smpp = { kind: 'smpp', name: 'mtn', host: 'smpp.example', port: 2775, system_id: 'me', password: 'secret' }
  const route = { name: 'sms', channel: 'sms' }

  test('get the defaults of their kind, and a real one makes it a live system', () => {
    const config = decideConfig({}, { carriers: [smpp], routes: [{ ...route, carriers: ['mtn'] }] })
    expect(config.sandbox).toBe(false)
    expect(config.settings.carriers).toMatchObject([
      { binds: 1, window: 10, mode: 'transceiver', profile: { long: 'udh8', sender_name: { ton: 5, npi: 0 } } },
    ])
    expect(config.settings.routes).toMatchObject([{ on_unknown: 'resend_otp', failover_after_s: 30 }])
  })

  test('are validated against their own kind', () => {
    const { password: _, ...lacking } = smpp
    const message = faultsOf({}, { carriers: [{ ...lacking, window: 0, binds: [{ port: 0 }] }, { kind: 'fax' }] })
    expect(message).toContain('carriers.0: must have required properties password')
    expect(message).toContain('carriers.0.window: must be >= 1')
    expect(message).toContain('carriers.0.binds.0.port: must be >= 1')
    expect(message).toContain('carriers.1.kind: must be one of simulator, smpp')
    expect(message).not.toContain('report_delay_ms')
  })

  test('that receive probes have numbers with a known operator, each once, and no route', () => {
    const drawer = { kind: 'phone', name: 'drawer', probe: true }
    const numbers = [
      { number: '2348031234567' },
      { number: '+2348031234567' },
      { number: '4915112345678', operator: 'X' },
    ]
    const lists = [
      { ...drawer, numbers },
      { ...drawer, name: 'empty' },
      { kind: 'phone', name: 'phones', numbers },
    ]
    const message = faultsOf({}, { carriers: lists, routes: [{ ...route, carrier: 'drawer' }] })
    expect(message).toContain('carriers.0.numbers.1.number: +2348031234567 is used twice')
    expect(message).toContain('carriers.1.numbers: a carrier with probe: true needs the numbers of its SIMs')
    expect(message).toContain('carriers.2.numbers: only a carrier with probe: true has numbers')
    expect(message).toContain('routes.0.carrier: drawer receives probes; replies would be lost')
    expect(faultsOf({}, { carriers: [{ ...drawer, numbers: [{ number: '0803' }] }] })).toContain('must match')
    expect(faultsOf({}, { carriers: [{ ...drawer, numbers: [{ number: '2340000000' }] }] })).toContain(
      'carriers.0.numbers.0.operator: the operator of 2340000000 is not known by its prefix: name it',
    )
  })

  test('may be in a country of their own, which exists', () => {
    const carriers = [{ ...smpp, country: 'KE' }]
    expect(decideConfig({}, { carriers, routes: [{ ...route, carrier: 'mtn' }] }).settings.carriers).toMatchObject(
      carriers,
    )
    const message = faultsOf({}, { carriers: [{ ...smpp, country: 'ZZ' }] })
    expect(message).toContain('carriers.0.country: ZZ is not a country code such as NG')
    expect(faultsOf({}, { carriers: [{ ...smpp, country: 'kenya' }] })).toContain('carriers.0.country: must match')
  })

  test('stand once in a route, under one name', () => {
    const message = faultsOf(
      {},
      {
        carriers: [smpp],
        routes: [
          { ...route, name: 'a', carrier: 'mtn', carriers: ['mtn'] },
          { ...route, name: 'b' },
          { ...route, name: 'c', carriers: ['mtn', 'mtn'] },
          { ...route, name: 'd', carriers: ['mtn', 'unknown'] },
        ],
      },
    )
    expect(message.split('\n').slice(1)).toEqual([
      '  routes.0.carriers: name either carrier or carriers',
      '  routes.1.carrier: the route leads nowhere',
      '  routes.2.carriers: a carrier is named twice',
      '  routes.3.carriers: there is no carrier unknown',
    ])
  })

  test('a country without a calling code is refused', () => {
    const message = faultsOf({}, { organisation: { default_country: 'ZZ' } })
    expect(message).toContain('organisation.default_country: ZZ is not a country code such as NG')
  })
})

describe('the numbers of a WhatsApp account', () => {
  const meta = {
    kind: 'whatsapp_cloud',
    name: 'meta',
    waba_id: '9',
    access_token: 'x',
    app_secrets: ['x'],
    verify_token: 'a long word',
  }
  const first = { phone_number_id: '1', digits: '15550783881' }
  const second = { phone_number_id: '2', digits: '15550783882', rate_per_s: 5 }
  const sms = { kind: 'simulator', name: 'sms' }
  const route = { name: 'chat', channel: 'whatsapp', carriers: ['meta', 'sms'] }
  const numbersOf = (account: object) =>
    decideConfig({}, { carriers: [sms, { ...meta, ...account }], routes: [route] }).settings

  test('are carriers, each with a route beside those to the account', () => {
    const { carriers, routes } = numbersOf({ numbers: [first, second] })
    expect(carriers).toMatchObject([
      { kind: 'simulator' },
      { ...meta, ...first, account: 'meta', rate_per_s: 80 },
      { ...meta, ...second, name: 'meta-15550783882', account: 'meta', rate_per_s: 5 },
    ])
    expect(routes).toMatchObject([
      route,
      {
        name: 'chat-15550783882',
        channel: 'whatsapp',
        carriers: ['meta-15550783882', 'sms'],
        number: { digits: second.digits, of: 'chat' },
      },
    ])
  })

  test('may be one, in the short form, or the first beside others', () => {
    const { phone_number_id } = first
    expect(numbersOf({ phone_number_id })).toMatchObject({
      carriers: [sms, { name: 'meta', account: 'meta', phone_number_id }],
      routes: [route],
    })
    expect(numbersOf({ ...first, numbers: [second] })).toEqual(numbersOf({ numbers: [first, second] }))
  })

  test.each([
    [{}, 'carriers.0.phone_number_id: name a phone_number_id, or several numbers'],
    [{ numbers: [first, { ...second, phone_number_id: '1' }] }, 'the phone_number_id 1 is used twice'],
    [{ ...first, numbers: [{ ...second, digits: first.digits }] }, `the digits ${first.digits} are used twice`],
    [{ numbers: [{ phone_number_id: '1' }] }, 'carriers.0.numbers.0: must have required properties digits'],
    [{ numbers: [{ ...first, digits: '+15550783881' }] }, 'carriers.0.numbers.0.digits: must match pattern'],
    [{ numbers: [] }, 'carriers.0.numbers: must NOT have fewer than 1 items'],
    [{ name: 'm'.repeat(40), numbers: [first, second] }, 'has more than 40 characters'],
  ])('%j is refused', (account, fault) => {
    expect(faultsOf({}, { carriers: [{ ...meta, ...account }], routes: [] })).toContain(fault)
  })

  test('may not take the name of another carrier or route', () => {
    const carriers = [
      { ...meta, numbers: [first, second] },
      { ...sms, name: 'meta-15550783882' },
    ]
    const routes = [
      { ...route, carriers: ['meta'] },
      { ...route, name: 'chat-15550783882', carriers: ['meta'] },
    ]
    const message = faultsOf({}, { carriers, routes })
    expect(message).toContain('carriers: meta-15550783882, made for a number, is used twice')
    expect(message).toContain('routes: chat-15550783882, made for a number, is used twice')
  })
})

describe('the airtime vendors', () => {
  const vtpass = { kind: 'vtpass', name: 'vtpass', api_key: 'a', public_key: 'b', secret_key: 'c' }

  test('get the defaults of their kind, and one real one makes it a live system', () => {
    const config = decideConfig({}, { airtime: { vendors: [vtpass] } })
    expect(config.sandbox).toBe(false)
    expect(config.settings.airtime.vendors).toEqual([
      { ...vtpass, base_url: 'https://api-service.vtpass.com', timeout_ms: 60_000, low_balance: 0 },
    ])
  })

  test('alone carry no messages: the simulator does so only where it is named', () => {
    const { settings } = decideConfig({}, { airtime: { vendors: [vtpass] } })
    expect([settings.carriers, settings.routes]).toEqual([[], []])
    const routes = [{ name: 'sms', channel: 'sms', carrier: 'simulator' }]
    const named = decideConfig({}, { airtime: { vendors: [vtpass] }, routes })
    expect(named.settings.carriers).toMatchObject([{ kind: 'simulator' }])
    expect(named.settings.routes).toHaveLength(1)
  })

  test('are validated against their own kind, beside all other faults', () => {
    const { secret_key, ...lacking } = vtpass
    const message = faultsOf(
      {},
      { airtime: { vendors: [{ ...lacking, colour: secret_key }, { kind: 'pigeon' }, null], min_amount: 0 } },
    )
    expect(message.split('\n').slice(1)).toEqual([
      '  airtime.vendors.0: must have required properties secret_key',
      '  airtime.vendors.0: unknown key colour',
      '  airtime.vendors.1.kind: must be one of simulator, vtpass, reloadly, africastalking',
      '  airtime.vendors.2.kind: must be one of simulator, vtpass, reloadly, africastalking',
      '  airtime.min_amount: must be > 0',
    ])
  })

  test('are known to the routes, each network has one, and the bounds enclose something', () => {
    const routes = [
      { network: 'MTN', vendors: ['vtpass', 'unknown'] },
      { network: 'MTN', vendors: ['vtpass'] },
    ]
    const message = faultsOf({}, { airtime: { vendors: [vtpass, vtpass], routes, min_amount: 60, max_amount: 50 } })
    expect(message.split('\n').slice(1)).toEqual([
      '  airtime.vendors.1.name: vtpass is used twice',
      '  airtime.routes.0.vendors: there is no vendor unknown',
      '  airtime.routes.1.network: MTN has two routes',
      '  airtime.min_amount: must not be above max_amount',
    ])
  })

  test.each([5, null, 'x', { vendors: 'none' }, { vendors: [] }])('of %j are refused', (airtime) => {
    expect(faultsOf({}, { airtime })).toContain('airtime')
  })
})
