import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AssertionOptions, RegistrationOptions } from '../../src/users/login/schema.ts'

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]

/** An authenticator in software: it makes one passkey and signs challenges with it, rightly or as a test wants. */
export type Authenticator = {
  make: (options: RegistrationOptions, origin: string, wish?: Wish) => object
  sign: (options: AssertionOptions, origin: string, wish?: Wish) => object
}

type Wish = { verified?: boolean; counter?: number; rp_id?: string; user_handle?: string }

export function authenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credential_id = randomBytes(32)
  const id = credential_id.toString('base64url')
  let counter = 0
  let user_handle: string | undefined

  const dataOf = (rp_id: string, wish: Wish, flags = 0, rest = Buffer.of()) => {
    counter = wish.counter ?? counter + 1
    const head = Buffer.alloc(5)
    head.writeUInt8(PRESENT | (wish.verified === false ? 0 : VERIFIED) | flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([hash(Buffer.from(wish.rp_id ?? rp_id)), head, rest])
  }

  return {
    make({ challenge, rp, user }, origin, wish = {}) {
      user_handle = user.id
      // COSE: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1), with x (-2) and y (-3).
      const key = Buffer.concat([hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credential_id.length)
      const data = dataOf(rp.id, wish, ATTESTED, Buffer.concat([Buffer.alloc(16), length, credential_id, key]))
      // CBOR: { fmt: 'none', attStmt: {}, authData }.
      const head = Buffer.concat([
        hex('a363'),
        text('fmt'),
        hex('64'),
        text('none'),
        hex('67'),
        text('attStmt'),
        hex('a0'),
      ])
      const attestation = Buffer.concat([head, hex('68'), text('authData'), Buffer.of(0x58, data.length), data])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    sign({ challenge, rpId }, origin, wish = {}) {
      const client_data = clientData('webauthn.get', challenge, origin)
      const data = dataOf(rpId, wish)
      const signature = sign('sha256', Buffer.concat([data, hash(client_data)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client_data.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: wish.user_handle ?? user_handle,
        },
      }
    },
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

const hash = (data: Buffer) => createHash('sha256').update(data).digest()
const hex = (digits: string) => Buffer.from(digits, 'hex')
const text = (word: string) => Buffer.from(word)
const bytes = (base64url: string) => Buffer.from(base64url, 'base64url')
