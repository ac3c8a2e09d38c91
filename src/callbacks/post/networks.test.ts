import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { isNamed, readAddress, readNetwork, readNetworks } from './networks.ts'

const named = (ip: string, ...networks: string[]) => isNamed(readAddress(ip), readNetworks(networks))
const faultOf = (text: string) => {
  const read = readNetwork(text)
  return 'fault' in read ? read.fault : undefined
}

describe('a network', () => {
  test.each([
    '10.0.0.0/8',
    '10.1.2.3',
    '10.1.2.3/32',
    '172.16.0.0/12',
    '192.168.1.0/24',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '127.0.0.1',
    '169.254.169.254',
    '169.254.169.254/32',
    '198.18.0.0/15',
    'fd00::/8',
    'fc00::/7',
    'fd12:3456:789a::/48',
    'fe80::1',
    '::1',
    '::1/128',
    'FD00:0:0::/8',
  ])('%s may be named', (text) => {
    expect(faultOf(text)).toBeUndefined()
  })

  test.each([
    ['', 'is neither a network such as 10.0.0.0/8 nor an address'],
    ['10', 'is neither a network'],
    ['10.0.0.0/', 'is neither a network'],
    ['10.0.0.0/08', 'is neither a network'],
    ['10.0.0.0/8/8', 'is neither a network'],
    ['10.0.0.0/-1', 'is neither a network'],
    ['10.0.0.0/33', 'is neither a network'],
    ['fd00::/129', 'is neither a network'],
    ['010.0.0.0/8', 'is neither a network'],
    ['10.0/8', 'is neither a network'],
    ['fe80::1%eth0', 'is neither a network'],
    ['[::1]', 'is neither a network'],
    ['app.internal', 'is neither a network'],
    ['10.0.0.1/8', 'the network is 10.0.0.0/8'],
    ['192.168.1.1/24', 'the network is 192.168.1.0/24'],
    ['fd00::1/8', 'the network is fd00::/8'],
    ['0.0.0.0/0', 'is too wide; at most 10.0.0.0/8'],
    ['::/0', 'is too wide; at most fc00::/7'],
    ['126.0.0.0/7', 'is too wide'],
    ['0.0.0.0', 'can never be called'],
    ['0.0.0.0/8', 'can never be called'],
    ['224.0.0.0/8', 'can never be called'],
    ['255.255.255.255', 'can never be called'],
    ['240.1.2.3', 'can never be called'],
    ['::', 'can never be called'],
    ['ff02::1', 'can never be called'],
    ['::ffff:10.0.0.0/104', 'can never be called'],
    ['::ffff:10.0.0.1', 'can never be called'],
    ['::7f00:1', 'can never be called'],
    ['64:ff9b::/96', 'can never be called'],
    ['2002:a00::/24', 'can never be called'],
    ['169.254.0.0/16', 'link-local addresses are named one by one'],
    ['169.254.169.254/31', 'link-local addresses are named one by one'],
    ['fe80::/10', 'link-local addresses are named one by one'],
  ])('%j may not: %s', (text, sentence) => {
    expect(faultOf(text)).toContain(sentence)
  })
})

describe('an address', () => {
  test.each([
    ['10.1.2.3', '10.0.0.0/8'],
    ['::ffff:10.1.2.3', '10.0.0.0/8'],
    ['127.0.0.1', '127.0.0.0/8'],
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1/32'],
    ['::1', '::1'],
    ['fd12::1', 'fd00::/8'],
    ['169.254.169.254', '169.254.169.254'],
    ['::ffff:169.254.169.254', '169.254.169.254'],
    ['100.100.100.200', '100.100.100.200/32'],
    ['fd00:ec2::254', 'fd00:ec2::254'],
    ['fe80::1', 'fe80::1'],
    ['168.63.129.16', '168.63.129.16'],
  ])('%s is named by %s', (ip, network) => {
    expect(named(ip, '192.168.0.0/16', network)).toBe(true)
  })

  test.each([
    ['11.0.0.1', '10.0.0.0/8'],
    ['10.0.0.1', 'fd00::/8'],
    ['fd00::1', '10.0.0.0/8'],
    ['100.100.100.200', '100.64.0.0/10'],
    ['::ffff:100.100.100.200', '100.64.0.0/10'],
    ['fd00:ec2::254', 'fd00::/8'],
    ['fd00:ec2::254', 'fc00::/7'],
    ['fd20:ce::254', 'fd00::/8'],
    ['168.63.129.16', '168.63.0.0/16'],
    ['192.0.0.192', '192.0.0.0/24'],
    ['::1', '::/8'],
    ['::ffff:8.8.8.8', '::/8'],
    ['::10.0.0.1', '10.0.0.0/8'],
    ['::10.0.0.1', '::/8'],
    ['::ffff:0:10.0.0.1', '10.0.0.0/8'],
    ['64:ff9b::10.0.0.1', '10.0.0.0/8'],
    ['64:ff9b::10.0.0.1', '::/8'],
    ['64:ff9b:1::a00:1', '::/8'],
    ['2002:a00:1::', '2000::/8'],
    ['2001:0:a00:1::1', '2000::/8'],
  ])('%s is not named by %s', (ip, network) => {
    expect(faultOf(network)).toBeUndefined()
    expect(named(ip, network)).toBe(false)
  })

  test('is named by its own network, whichever way it is written, and by no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 8, max: 32 }), (host, bits) => {
        const ip = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
        const network = `${ipaddr.IPv4.networkAddressFromCIDR(`${ip}/${bits}`).toString()}/${bits}`
        expect(named(ip, network)).toBe(true)
        expect(named(`::ffff:${ip}`, network)).toBe(true)
        expect(named(ip.replace('10.', '11.'), network)).toBe(false)
        expect(named(`64:ff9b::${ip}`, network)).toBe(false)
      }),
    )
  })
})

test('a list with a fault is no list', () => {
  expect(() => readNetworks(['10.0.0.0/8', '10.0.0.1/8'])).toThrow('10.0.0.1/8')
})
