import { Webhook } from 'standardwebhooks'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newSecret, signatureHeaders } from './signature.ts'

const BODY = '{"id":"cb_1","type":"text.delivered","data":{"sender_id":"Ọjà","description":"đã gửi ✓"}}'

function now_s(): number {
  return Math.floor(Date.now() / 1_000)
}

describe('newSecret', () => {
  test('is whsec_ and 32 random bytes in base64', () => {
    const secret = newSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(newSecret()).not.toBe(secret)
  })
})

describe('signatureHeaders', () => {
  test('gives the signature of the example in the Standard Webhooks specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = signatureHeaders([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is accepted by the verifier customers use', () => {
    const secret = newSecret()
    const headers = signatureHeaders([secret], 'cb_1', now_s(), BODY)
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  })

  test('verifies under the old and the new secret during a rotation, and under no other', () => {
    const [old_secret, new_secret] = [newSecret(), newSecret()]
    const headers = signatureHeaders([new_secret, old_secret], 'cb_1', now_s(), BODY)
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    expect(new Webhook(old_secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    expect(new Webhook(new_secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow('No matching signature')
  })

  test('fails when any byte of the body is changed', () => {
    const secret = newSecret()
    const headers = signatureHeaders([secret], 'cb_1', now_s(), BODY)
    const bytes = Buffer.from(BODY)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ change, at)
        expect(() => new Webhook(secret).verify(changed, headers)).toThrow('No matching signature')
      }),
    )
  })

  test('fails when the id or the timestamp is changed', () => {
    const secret = newSecret()
    const headers = signatureHeaders([secret], 'cb_1', now_s(), BODY)
    const webhook = new Webhook(secret)
    expect(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'cb_2' })).toThrow('No matching signature')
    expect(() => webhook.verify(BODY, { ...headers, 'webhook-timestamp': String(now_s() - 1) })).toThrow(
      'No matching signature',
    )
  })

  test.each([
    ['no secret at all', []],
    ['a secret without its prefix', [Buffer.alloc(32).toString('base64')]],
    ['an empty secret', ['whsec_']],
    ['a secret that is too short', [`whsec_${Buffer.alloc(23).toString('base64')}`]],
  ])('refuses %s', (_, secrets) => {
    expect(() => signatureHeaders(secrets, 'cb_1', now_s(), BODY)).toThrow(/secret/)
  })
})
