/**
 * How a carrier's reports write the ids of its answers: `raw` unchanged (except for case and leading zeros), or one of them
 * in hexadecimal and the other in decimal. `auto` detects it.
 */
export type IdMode = 'auto' | LearnedMode
export type LearnedMode = 'raw' | 'resp_hex_dlr_dec' | 'resp_dec_dlr_hex'

export const ID_MODES = ['auto', 'raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex'] as const satisfies readonly IdMode[]

/** The stored form of SMPP message ids, which reports write in many ways: lower case, without leading zeros. */
export function keptId(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '')
}

/**
 * The stored ids that the id of a report may mean, likeliest first. Numbers are BigInt: ids exceed the range of a double.
 */
export function meantIds(id: string, mode: IdMode, learned?: LearnedMode): string[] {
  const kept = keptId(id)
  if (mode !== 'auto') return [readAs(kept, mode) ?? kept]
  const meant: string[] = []
  for (const one of learned ? [learned, ...LEARNED] : LEARNED) {
    const reading = readAs(kept, one)
    if (reading !== undefined && !meant.includes(reading)) meant.push(reading)
  }
  return meant
}

const LEARNED = ['raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex'] as const satisfies readonly LearnedMode[]

/** The stored id that a report's id means in a mode; undefined if it cannot be read that way. */
function readAs(kept: string, mode: LearnedMode): string | undefined {
  switch (mode) {
    case 'raw':
      return kept
    case 'resp_hex_dlr_dec':
      if (!DECIMAL.test(kept)) return undefined
      return (kept.length <= SAFE_DECIMAL ? Number(kept) : BigInt(kept)).toString(16)
    case 'resp_dec_dlr_hex':
      if (!HEXADECIMAL.test(kept)) return undefined
      return (kept.length <= SAFE_HEXADECIMAL ? Number(`0x${kept}`) : BigInt(`0x${kept}`)).toString()
  }
}

/** Digits that a double represents exactly. */
const SAFE_DECIMAL = 15
const SAFE_HEXADECIMAL = 13

/** Replaces the id of a message whose id is unknown: its number, by the digits that all formats share. */
export function numberKey(recipient: string): string {
  return `to:${recipient.slice(-8)}`
}

/** Matches no report: ids contain no blank. */
export const NO_ID = 'no id'

/** The mode in which a report's id means the stored one; undefined if several modes would. */
export function modeBetween(id: string, kept: string): LearnedMode | undefined {
  const said = keptId(id)
  const readings = LEARNED.map((mode) => readAs(said, mode))
  if (readings.every((reading) => reading === undefined || reading === said)) return undefined
  return LEARNED.find((_, n) => (readings[n] ?? said) === kept)
}

const DECIMAL = /^\d{1,40}$/
const HEXADECIMAL = /^[\da-f]{1,32}$/
