/**
 * How a carrier's reports write the ids it gave in its answers: `raw` the same (letters and leading zeros apart), or
 * the one in hexadecimal and the other in decimal. `auto` finds out.
 */
export type IdMode = 'auto' | LearnedMode
export type LearnedMode = 'raw' | 'resp_hex_dlr_dec' | 'resp_dec_dlr_hex'

export const ID_MODES = ['auto', 'raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex'] as const satisfies readonly IdMode[]

/** As ids are kept: letters folded, leading zeros dropped. */
export function keptId(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '')
}

/**
 * The kept ids that the id of a report may mean, likeliest first. Numbers are BigInt: ids exceed what a double holds.
 */
export function meantIds(id: string, mode: IdMode, learned?: LearnedMode): string[] {
  const kept = keptId(id)
  const readings: Record<LearnedMode, string | undefined> = {
    raw: kept,
    resp_hex_dlr_dec: DECIMAL.test(kept) ? BigInt(kept).toString(16) : undefined,
    resp_dec_dlr_hex: HEXADECIMAL.test(kept) ? BigInt(`0x${kept}`).toString() : undefined,
  }
  if (mode !== 'auto') return [readings[mode] ?? kept]
  const order: LearnedMode[] = [...(learned ? [learned] : []), 'raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex']
  return [...new Set(order.flatMap((one) => readings[one] ?? []))]
}

/** What stands for the id of a message whose id is not known: its number, by the digits that all spellings share. */
export function numberKey(recipient: string): string {
  return `to:${recipient.slice(-8)}`
}

/** How a report must have written the id to mean the kept one; undefined when it tells nothing about its like. */
export function modeBetween(id: string, kept: string): LearnedMode | undefined {
  if (meantIds(id, 'auto').length === 1) return undefined
  return (['raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex'] as const).find((mode) => meantIds(id, mode)[0] === kept)
}

const DECIMAL = /^\d{1,40}$/
const HEXADECIMAL = /^[\da-f]{1,32}$/
