import { hkdfSync, randomBytes } from 'node:crypto'
import type { FileKey } from '../db/backup/format.ts'
import { pepperKeys, type InstallationKeys, type PepperKeys } from '../otp/pepper.ts'

/**
 * The keys of one export: they seal its secrets, as a pepper seals those of an installation, and authenticate the file. So
 * the file can be given to another installation without the pepper of this one.
 */
export type TransferKeys = FileKey & Pick<PepperKeys, 'seal_key' | 'secret_key'>

const KEY = /^[A-Za-z0-9_-]{43}$/

export function newTransferKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Undefined if the text is not the key of an export. */
export function transferKeys(text: string): TransferKeys | undefined {
  if (!KEY.test(text)) return undefined
  const { seal_key, secret_key, pepper_mark } = pepperKeys(text)
  return { seal_key, secret_key, pepper_mark, code_key: Buffer.from(hkdfSync('sha256', text, '', 'gangan export', 32)) }
}

/**
 * Identifies the keys of an installation that what customers hold is made with: where they are the same, passwords of SMPP
 * accounts and auth tokens go on working.
 */
export function markOfKeys({
  smpp_key,
  auth_token_key,
}: Pick<InstallationKeys, 'smpp_key' | 'auth_token_key'>): string {
  const both = Buffer.concat([smpp_key, auth_token_key])
  return Buffer.from(hkdfSync('sha256', both, '', 'gangan keys mark', 8)).toString('hex')
}
