import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** Encrypts texts that are stored and must be readable again. */
export type Seal = {
  close(text: string, bound_to: string): Buffer
  /** Undefined if it was sealed under another key or bound to something else. */
  open(sealed: Uint8Array, bound_to: string): string | undefined
}

const NONCE = 12
const TAG = 16

/**
 * AES-256-GCM with a key per `bound_to`, so that no key is used for too many random nonces. With a former key, what was
 * sealed under that opens as well.
 */
export function makeSeal(master_key: Uint8Array, former_key?: Uint8Array): Seal {
  return {
    close(text, bound_to) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', keyOf(master_key, bound_to), nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed, bound_to) {
      const opened = open(master_key, sealed, bound_to)
      return opened === undefined && former_key ? open(former_key, sealed, bound_to) : opened
    },
  }
}

function keyOf(master_key: Uint8Array, bound_to: string): Buffer {
  return createHmac('sha256', master_key).update(bound_to).digest()
}

function open(master_key: Uint8Array, sealed: Uint8Array, bound_to: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(master_key, bound_to), sealed.subarray(0, NONCE))
    decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
    return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
