import { createHmac } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { isSameSecret } from '../../values/secrets/same-secret.ts'
import { compilePath } from './fields.ts'
import { asText, readText, type Scope } from './mapping/path.ts'
import { compile, type ReportFault } from './mapping/template.ts'
import { POST_ROOTS } from './report.ts'
import type { Verification } from './preset/schema.ts'

/** Whether a post is the vendor's. */
export type Verify = (scope: Scope) => boolean

/** What a signature may be over, beside the fields: the bytes, the whole address, and the fields in two spellings. */
const SIGNED_ROOTS = [...POST_ROOTS, 'raw', 'url', 'sorted_fields', 'sorted_pairs', 'credentials'] as const
const TOLERANCE_S = 300
/** More than a SHA-512 in hexadecimal digits with its name in front. */
const LONGEST_SIGNATURE = 200
/** Whoever knows it can end our messages as they like. */
const SHORTEST_SECRET = 16

/** Undefined: the credentials that it needs are not given, so it is not asked for. */
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
    if (secret.length < SHORTEST_SECRET) reportFault(place, `wants a secret of at least ${SHORTEST_SECRET} characters`)
    return (scope) => isSameSecret(readText(scope, [at]) ?? '', secret)
  }
  const over = compile(given.over, SIGNED_ROOTS, `${place}.over`, reportFault)
  const signed_at = compilePath(given.signed_at, POST_ROOTS, `${place}.signed_at`, reportFault)
  if (secret === '' || !at) return undefined
  const { algorithm, encoding, tolerance_s = TOLERANCE_S } = given
  return (scope) => {
    const signature = readText(scope, [at])
      ?.slice(0, LONGEST_SIGNATURE)
      .replace(/^sha\d{1,3}=/, '')
    // Before anything that is signed is read.
    if (signature === undefined) return false
    const right = createHmac(algorithm, secret)
      .update(asText(over(scope)) ?? '')
      .digest(encoding)
    if (!isSameSecret(encoding === 'hex' ? signature.toLowerCase() : signature, right)) return false
    if (!signed_at) return true
    return Math.abs(Date.now() / 1_000 - Number(readText(scope, [signed_at]))) <= tolerance_s
  }
}

/** From which addresses posts are taken; none: from all. Or what is wrong with one of them. */
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
