/** Decodes a text; undefined if the charset is unknown or the octets are invalid in it. */
export function decodeText(octets: Buffer, charset: string): string | undefined {
  const name = charset.toLowerCase()
  if (LATIN.includes(name)) return decodeLatin(octets)
  try {
    return new TextDecoder(BIG_ENDIAN.includes(name) ? 'utf-16be' : charset, { fatal: true }).decode(octets)
  } catch {
    return undefined
  }
}

/** Decodes UTF-16 and keeps unpaired surrogates; undefined for another charset or an odd number of octets. */
export function decodeUtf16(octets: Buffer, charset: string): string | undefined {
  const name = charset.toLowerCase()
  const is_big = BIG_ENDIAN.includes(name)
  if ((!is_big && name !== 'utf-16le') || octets.length % 2 !== 0) return undefined
  const units = is_big ? Buffer.from(octets).swap16() : octets
  return units.toString('utf16le').replace(/^\ufeff/, '')
}

const BIG_ENDIAN = ['ucs-2', 'ucs2', 'utf-16', 'utf16be', 'utf-16be']
const LATIN = ['iso-8859-1', 'iso8859-1', 'latin1', 'latin-1', 'windows-1252', 'cp1252']
/** Windows-1252 assigns characters to the C1 controls of Latin 1; clients name one charset and mean the other. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Node's own decoder would return the controls. */
function decodeLatin(octets: Buffer): string {
  return octets.toString('latin1').replace(/[\u0080-\u009f]/g, (control) => WINDOWS[control.charCodeAt(0) - 0x80] ?? '')
}
