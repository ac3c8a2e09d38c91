import { createHmac } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { isSameSecret } from '../../values/secrets/same-secret.ts'
import { compile } from './mapping/template.ts'
import { POST_ROOTS } from './report.ts'
import type { Verification } from './preset/schema.ts'
import { asText, compilePath, readText, type ReportFault, type Scope } from './mapping/path.ts'

/** Whether a post is from the vendor. */
export type Verify = (scope: Scope) => boolean

/** What a signature may cover besides the fields: the bytes, the whole URL, and the sorted fields in two formats. */
const SIGNED_ROOTS = [...POST_ROOTS, 'raw', 'url', 'sorted_fields', 'sorted_pairs', 'credentials'] as const
const TOLERANCE_S = 300
/** More than a SHA-512 in hexadecimal digits with its name in front. */
const MAX_SIGNATURE_LENGTH = 200
/** A caller who knows the secret can forge reports. */
const MIN_SECRET_LENGTH = 16

/** Undefined if the credentials that it needs are not configured: then it is skipped. */
export function compileVerification(
  given: Verification,
  credentials: Readonly<Record<string, string>>,
  place: string,
  reportFault: ReportFault,
): Verify | undefined {
  const secretOf = compile(given.secret, ['credentials'], `${place}.secret`, reportFault)
  const secret = asText(secretOf({ credentials })) ?? ''
  const at = compilePath(given.at, POST_ROOTS, `${place}.at`, reportFault)
  if (given.kind === 'secret') {
    if (secret === '' || !at) return undefined
    if (secret.length < MIN_SECRET_LENGTH)
      reportFault(place, `wants a secret of at least ${MIN_SECRET_LENGTH} characters`)
    return (scope) => isSameSecret(readText(scope, [at]) ?? '', secret)
  }
  const over = compile(given.over, SIGNED_ROOTS, `${place}.over`, reportFault)
  const signed_at = compilePath(given.signed_at, POST_ROOTS, `${place}.signed_at`, reportFault)
  if (secret === '' || !at) return undefined
  const { algorithm, encoding, tolerance_s = TOLERANCE_S } = given
  return (scope) => {
    const signature = readText(scope, [at])
      ?.slice(0, MAX_SIGNATURE_LENGTH)
      .replace(/^sha\d{1,3}=/, '')
    // Checked before the signed parts are parsed.
    if (signature === undefined) return false
    const right = createHmac(algorithm, secret)
      .update(asText(over(scope)) ?? '')
      .digest(encoding)
    if (!isSameSecret(encoding === 'hex' ? signature.toLowerCase() : signature, right)) return false
    if (!signed_at) return true
    return Math.abs(Date.now() / 1_000 - Number(readText(scope, [signed_at]))) <= tolerance_s
  }
}

/** Compiles the networks from which posts are accepted; an empty list accepts all. Or the fault in one of them. */
export function readSources(networks: readonly string[]): ((ip: string) => boolean) | { fault: string } {
  const list = new BlockList()
  for (const text of networks) {
    const [ip = '', bits] = text.split('/', 2)
    const family = isIP(ip)
    const longest = family === 4 ? 32 : 128
    if (family === 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest))) {
      return { fault: `${text} is neither a network such as 192.0.2.0/24 nor an address` }
    }
    list.addSubnet(ip, bits === undefined ? longest : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  }
  if (networks.length === 0) return () => true
  return (given) => {
    const ip = given.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = isIP(ip)
    return family !== 0 && list.check(ip, family === 4 ? 'ipv4' : 'ipv6')
  }
}
