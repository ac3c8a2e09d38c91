import { once } from 'node:events'
import { connect, createServer, type LookupFunction } from 'node:net'
import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BlockedAddressError, guardedLookup, isPublicAddress, MAX_URL_LENGTH, urlFault } from './address-guard.ts'
import { readNetworks } from './networks.ts'

const LIVE = { private_allowed: false }
const SANDBOX = { private_allowed: true }

const PUBLIC_ADDRESSES = [
  '1.1.1.1',
  '8.8.8.8',
  '41.203.64.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2c0f:f248::1',
]

const PRIVATE_ADDRESSES = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::2',
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe00::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

describe('isPublicAddress', () => {
  test.each(PUBLIC_ADDRESSES)('%s is public', (ip) => {
    expect(isPublicAddress(ip)).toBe(true)
  })

  test.each(PRIVATE_ADDRESSES)('%s is not public', (ip) => {
    expect(isPublicAddress(ip)).toBe(false)
  })

  test.each([
    '',
    'localhost',
    'example.com',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '8.8.8.8.',
    '[::1]',
    '8.8.8',
  ])('the text "%s" is not an address, so not public', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  test('no IPv4 address becomes public by being put into an IPv6 one', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const bytes = ipaddr.IPv4.parse(ip).toByteArray()
        const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
        const [high, low] = [hex.slice(0, 4), hex.slice(4)]
        for (const wrapped of [
          `::${high}:${low}`,
          `::ffff:${high}:${low}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `64:ff9b:1::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
        ]) {
          expect(isPublicAddress(wrapped)).toBe(false)
        }
      }),
    )
  })
})

const PUBLIC_URLS = [
  'https://example.com/hook',
  'http://example.com:8080/hook?token=a#part',
  'HTTPS://EXAMPLE.COM',
  'https://example.com./hook',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://localhost.example.com/',
  'https://notlocalhost/',
  'https://internal.example.com/',
  'https://mylocal/',
  'https://8.8.8.8/',
  'https://134744072/',
  'https://[2606:4700:4700::1111]:8443/',
  'https://127.0.0.1.nip.io/',
]

const PRIVATE_URLS = [
  'http://127.0.0.1/',
  'http://127.0.0.1:5432/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f000001/',
  'http://0x7F.0x0.0x0.0x1/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://0177.1/',
  'http://127.0x0.1/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
  'http:127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:////127.0.0.1/',
  ' http://127.0.0.1/ ',
  'ht\ntp://127.0.\t0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.1/',
  'http://167772161/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://172.16.0.1/',
  'http://192.168.1/',
  'http://0xc0a80001/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://4294967295/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::FFFF:7F00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://ⓛocalhost/',
  'http://%6c%6f%63%61lhost/',
  'http://api.localhost/',
  'http://api.localhost./',
  'http://localhost.localdomain/',
  'http://printer.local/',
  'http://printer.local./',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://METADATA.google.INTERNAL./',
  'http://host.docker.internal/',
  'http://internal/',
  'http://router.home.arpa/',
]

const FAULTY_URLS: [string, RegExp][] = [
  ['http://example.com/\u0000', /^The URL holds a NUL character\.$/],
  ['', /parsed/],
  ['example.com/hook', /parsed/],
  ['//example.com/hook', /parsed/],
  ['http://', /parsed/],
  ['http://?x', /parsed/],
  ['http://exa mple.com/', /parsed/],
  ['http://example.com:99999/', /parsed/],
  ['http://256.0.0.1/', /parsed/],
  ['http://1.2.3.4.5/', /parsed/],
  ['http://4294967296/', /parsed/],
  ['http://[::1/', /parsed/],
  ['http://[fe80::1%25eth0]/', /parsed/],
  ['ftp://example.com/', /http/],
  ['file:///etc/passwd', /http/],
  ['gopher://example.com:6379/_x', /http/],
  ['javascript:alert(1)', /http/],
  ['data:text/plain,x', /http/],
  ['unix:/var/run/docker.sock', /http/],
  ['ws://example.com/', /http/],
  ['localhost:3000', /http/],
  ['http://user@example.com/', /password/],
  ['http://user:secret@example.com/', /password/],
  ['http://:secret@example.com/', /password/],
  ['http://example.com@127.0.0.1/', /password/],
  ['http://./', /host name/],
  ['http://../', /host name/],
  ['http://localhost../', /host name/],
  ['http://127.0.0.1../', /host name/],
  ['http://.local/', /host name/],
  ['http://example..com/', /host name/],
]

describe('urlFault', () => {
  test.each(PUBLIC_URLS)('%s is accepted', (url) => {
    expect(urlFault(url, LIVE)).toBeUndefined()
    expect(urlFault(url, SANDBOX)).toBeUndefined()
  })

  test.each(PRIVATE_URLS)('%j is refused in live mode only', (url) => {
    expect(urlFault(url, LIVE)).toMatch(/^The URL must lead to a public address.*callbacks\.allow_networks/)
    expect(urlFault(url, SANDBOX)).toBeUndefined()
  })

  test.each(FAULTY_URLS)('%j is refused in both modes', (url, sentence) => {
    expect(urlFault(url, LIVE)).toMatch(sentence)
    expect(urlFault(url, SANDBOX)).toMatch(sentence)
  })

  test('a URL may be as long as the limit and no longer', () => {
    const start = 'https://example.com/'
    expect(urlFault(start + 'x'.repeat(MAX_URL_LENGTH - start.length), LIVE)).toBeUndefined()
    expect(urlFault(start + 'x'.repeat(MAX_URL_LENGTH - start.length + 1), LIVE)).toMatch(/2048 characters/)
  })
})

describe('a network the operator has named', () => {
  const TEN = { private_allowed: false, networks: readNetworks(['10.0.0.0/8']) }
  const LOOPBACK = { private_allowed: false, networks: readNetworks(['127.0.0.0/8', '::1']) }
  const IN_TEN = ['http://10.1/', 'http://167772161/']

  test.each([...IN_TEN, 'http://10.0.0.1:8080/x', 'http://[::ffff:10.0.0.1]/', 'http://0xa000001/'])(
    '%s in it is accepted',
    (url) => {
      expect(urlFault(url, LIVE)).toBeDefined()
      expect(urlFault(url, TEN)).toBeUndefined()
    },
  )

  test.each(PRIVATE_URLS.filter((url) => !IN_TEN.includes(url)))('%j beside it stays refused', (url) => {
    expect(urlFault(url, TEN)).toMatch(/^The URL must lead to a public address.*callbacks\.allow_networks/)
  })

  test.each(PUBLIC_URLS)('%s is accepted as ever', (url) => {
    expect(urlFault(url, TEN)).toBeUndefined()
  })

  test('is this machine only when that is what it names, and then by its name as well', () => {
    const own = ['http://127.0.0.1/', 'http://2130706433/', 'http://localhost:3000/', 'http://api.localhost/']
    for (const url of [...own, 'http://[::1]/', 'http://[::ffff:127.0.0.1]/']) {
      expect(urlFault(url, LOOPBACK)).toBeUndefined()
      expect(urlFault(url, TEN)).toBeDefined()
    }
    for (const url of ['http://0.0.0.0/', 'http://[::]/', 'http://[::7f00:1]/', 'http://printer.local/']) {
      expect(urlFault(url, LOOPBACK)).toBeDefined()
    }
  })

  test.each(PRIVATE_ADDRESSES.filter((ip) => !ip.startsWith('10.')))(
    'does not open a host at %s, alone and beside one in it',
    async (ip) => {
      for (const addresses of [[ip], [ip, '10.0.0.1'], ['8.8.8.8', '10.0.0.1', ip]]) {
        const { error } = await find(guardedLookup(TEN, answering(...addresses)))
        expect(error).toBeInstanceOf(BlockedAddressError)
      }
    },
  )

  test('opens a host whose addresses all are in it or public', async () => {
    for (const addresses of [['10.0.0.1'], ['::ffff:10.0.0.1'], ['10.0.0.1', '8.8.8.8']]) {
      expect((await find(guardedLookup(TEN, answering(...addresses)))).error).toBeNull()
      expect((await find(guardedLookup(LIVE, answering(...addresses)))).error).toBeInstanceOf(BlockedAddressError)
    }
  })
})

type Found = { error: Error | null; address: unknown; family: unknown }

function find(lookup: LookupFunction, options: { all?: boolean; family?: number | 'IPv4' | 'IPv6' } = { all: true }) {
  return new Promise<Found>((resolve) => {
    lookup('hooks.example', options, (error, address, family) => resolve({ error, address, family }))
  })
}

function answering(...addresses: string[]) {
  return () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
}

describe('guardedLookup', () => {
  const both = answering('8.8.8.8', '2606:4700:4700::1111')

  test('passes on the checked addresses, all or the first, of the family asked for', async () => {
    const lookup = guardedLookup(LIVE, both)
    const [four, six] = await both()
    expect(await find(lookup)).toMatchObject({ error: null, address: [four, six] })
    expect(await find(lookup, {})).toMatchObject({ error: null, address: '8.8.8.8', family: 4 })
    expect(await find(lookup, { family: 6 })).toMatchObject({ error: null, address: six?.address, family: 6 })
    expect(await find(lookup, { family: 'IPv4', all: true })).toMatchObject({ error: null, address: [four] })
    expect(await find(lookup, { family: 'IPv6', all: true })).toMatchObject({ error: null, address: [six] })
  })

  test.each(PRIVATE_ADDRESSES)('blocks a host at %s, alone and beside public addresses', async (ip) => {
    for (const addresses of [[ip], [ip, '8.8.8.8'], ['8.8.8.8', '2606:4700:4700::1111', ip]]) {
      for (const options of [{ all: true }, {}, { family: 4 }, { family: 6 }]) {
        const { error, address } = await find(guardedLookup(LIVE, answering(...addresses)), options)
        expect(error).toBeInstanceOf(BlockedAddressError)
        expect(address).toBe('')
      }
    }
    expect((await find(guardedLookup(SANDBOX, answering(ip)))).error).toBeNull()
  })

  test('does not disclose the address it found', async () => {
    const { error } = await find(guardedLookup(LIVE, answering('10.20.30.40')))
    expect(error).toMatchObject({
      name: 'BlockedAddressError',
      code: 'ERR_BLOCKED_ADDRESS',
      message:
        'The host hooks.example does not have a public address, nor one of a network in callbacks.allow_networks.',
    })
  })

  test('fails when there is no address, or none of the family asked for', async () => {
    expect((await find(guardedLookup(LIVE, answering()))).error).toMatchObject({
      code: 'ENOTFOUND',
      message: 'The host hooks.example has no address.',
    })
    expect((await find(guardedLookup(SANDBOX, answering('127.0.0.1')), { family: 6 })).error).toMatchObject({
      code: 'ENOTFOUND',
    })
  })

  test('hands on the fault of the resolver', async () => {
    const fault = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    expect((await find(guardedLookup(LIVE, () => Promise.reject(fault)))).error).toBe(fault)
  })

  test('asks the system when given no resolver', async () => {
    const found = await new Promise<Found>((resolve) => {
      guardedLookup(LIVE)('127.0.0.1', { all: true }, (error, address, family) => resolve({ error, address, family }))
    })
    expect(found.error).toBeInstanceOf(BlockedAddressError)
  })

  test('decides where net.connect goes', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0

    const allowed = connect({ host: 'hooks.example', port, lookup: guardedLookup(SANDBOX, answering('127.0.0.1')) })
    await once(allowed, 'connect')
    expect(allowed.remoteAddress).toBe('127.0.0.1')
    allowed.destroy()

    const blocked = connect({ host: 'hooks.example', port, lookup: guardedLookup(LIVE, answering('127.0.0.1')) })
    const [error] = await once(blocked, 'error')
    expect(error).toBeInstanceOf(BlockedAddressError)
  })
})
