/**
 * How a carrier's reports write the ids it gave in its answers: `raw` the same (letters and leading zeros apart), or
 * the one in hexadecimal and the other in decimal. `auto` finds out.
 */
export type IdMode = 'auto' | LearnedMode
export type LearnedMode = 'raw' | 'resp_hex_dlr_dec' | 'resp_dec_dlr_hex'

export const ID_MODES = ['auto', 'raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex'] as const satisfies readonly IdMode[]

/** As ids of SMPP are kept, whose reports write them in many ways: letters folded, leading zeros dropped. */
export function keptId(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '')
}

/**
 * The kept ids that the id of a report may mean, likeliest first. Numbers are BigInt: ids exceed what a double holds.
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

/** What a kept id of a report means in a mode; undefined where it cannot be read that way. */
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

/** Digits that a double holds without loss. */
const SAFE_DECIMAL = 15
const SAFE_HEXADECIMAL = 13

/** What stands for the id of a message whose id is not known: its number, by the digits that all spellings share. */
export function numberKey(recipient: string): string {
  return `to:${recipient.slice(-8)}`
}

/** No report can name it: ids hold no blank. */
export const NO_ID = 'no id'

/** How a report must have written the id to mean the kept one; undefined when it tells nothing about its like. */
export function modeBetween(id: string, kept: string): LearnedMode | undefined {
  const said = keptId(id)
  const readings = LEARNED.map((mode) => readAs(said, mode))
  if (readings.every((reading) => reading === undefined || reading === said)) return undefined
  return LEARNED.find((_, n) => (readings[n] ?? said) === kept)
}

const DECIMAL = /^\d{1,40}$/
const HEXADECIMAL = /^[\da-f]{1,32}$/
