import { expect, test } from 'vitest'
import { decideConfig } from '../../config/config.ts'
import { convertConf } from './convert.ts'
import { readConf } from './read-conf.ts'

const CONF = `
# A gateway with two links.
group = core
admin-port = 13000
admin-password = bar
sms-resend-freq = 30

group = smsc
smsc = smpp
smsc-id = "MTN Lagos"
host = smpp.example.com
port = 2776
transceiver-mode = true
smsc-username = shop
smsc-password = "s3cret"
system-type = VMA
throughput = 50
max-pending-submits = 25
enquire-link-interval = 20
dest-addr-ton = 1
dest-addr-npi = 1
msg-id-type = 1
allowed-prefix = "+234803;234806"
wait-ack = 60

group = smsc
smsc = smpp
smsc-id = MTN-Lagos
host = 192.0.2.7
port = 2775
receive-port = 2775
smsc-username = other
smsc-password = pw
use-ssl = yes
alt-charset = ISO-8859-1

group = smsc
smsc = http
smsc-id = web
password = hidden

group = smsbox
bearerbox-host = localhost
sendsms-port = 13013
global-sender = 13013

group = sendsms-user
username = tester
password = foobar
default-sender = Shop
max-messages = 3

group = sms-service
keyword = default
get-url = "http://app.example.com/in?from=%p&text=%a"

group = sms-service
keyword = nop
text = "You asked nothing"
`

test('links become carriers and routes that our configuration takes', () => {
  const { groups, faults } = readConf(CONF)
  expect(faults).toEqual([])
  const { settings } = convertConf(groups)
  expect(settings).toEqual({
    carriers: [
      {
        kind: 'smpp',
        name: 'mtn-lagos',
        host: 'smpp.example.com',
        port: 2776,
        system_id: 'shop',
        password: 's3cret',
        system_type: 'VMA',
        window: 25,
        rate_per_bind: 50,
        enquire_every_s: 20,
        msg_id_mode: 'resp_hex_dlr_dec',
        profile: { recipient: { ton: 1, npi: 1 } },
      },
      {
        kind: 'smpp',
        name: 'mtn-lagos-2',
        host: '192.0.2.7',
        port: 2775,
        system_id: 'other',
        password: 'pw',
        mode: 'pair',
        tls: {},
        profile: { alphabet: 'latin1' },
      },
    ],
    routes: [
      { name: 'sms', channel: 'sms', carriers: ['mtn-lagos-2'] },
      { name: 'sms-234803', channel: 'sms', prefix: '234803', carriers: ['mtn-lagos'] },
      { name: 'sms-234806', channel: 'sms', prefix: '234806', carriers: ['mtn-lagos'] },
    ],
  })
  expect(decideConfig({}, settings).sandbox).toBe(false)
})

test('manual steps and unsupported settings are reported with their line, without secrets', () => {
  const { steps, left_out } = convertConf(readConf(CONF).groups)
  expect(steps).toEqual([
    'PORT=13013 lets clients of smsbox keep their port.',
    expect.stringMatching(/^gangan keys create --scopes sms --name 'tester'/),
    expect.stringContaining('Register the sender Shop'),
    expect.stringContaining('http://app.example.com/in (sms-service default)'),
  ])
  expect(left_out).toEqual([
    'line 4: admin-port = 13000: not needed, or without a counterpart.',
    'line 5: admin-password = …: not needed, or without a counterpart.',
    'line 6: sms-resend-freq = 30: not needed, or without a counterpart.',
    'line 24: wait-ack = 60: no counterpart (carrier mtn-lagos).',
    'line 38: smsc = http: only SMPP links are carried over.',
    'line 43: bearerbox-host = localhost: not needed, or without a counterpart.',
    'line 45: global-sender = 13013: not needed, or without a counterpart.',
    'line 51: max-messages = 3: no counterpart (sendsms-user tester).',
    'line 57: sms-service nop: automatic answers are not supported.',
  ])
  expect([...steps, ...left_out].join()).not.toMatch(/hidden|foobar|bar:|s3cret/)
})

test('invalid lines are reported, and lines may be continued', () => {
  const { groups, faults } = readConf('a = b\ngroup = core\nnonsense\nlong = one \\\ntwo\r\ninclude = "other.conf"\n')
  expect(faults).toEqual([
    'line 1: a stands in no group.',
    'line 3: this is no variable with its value.',
    'line 6: include is not followed; convert that file separately.',
  ])
  expect(groups[0]?.values.get('long')).toBe('one two')
})
