import { DEFAULT_TABLES, type GsmTables } from './gsm7.ts'

/**
 * National language tables selected by a user data header (3GPP TS 23.038, annex A): a locking shift replaces the basic
 * table, a single shift the extension table. Turkish, Spanish and Portuguese; other languages decode with the default
 * tables. They are decoded and never sent, because few carriers support them.
 */
export function nationalTables(shifts: Languages): GsmTables {
  return {
    basic: LOCKING.get(shifts.locking) ?? DEFAULT_TABLES.basic,
    extension: SINGLE.get(shifts.single) ?? DEFAULT_TABLES.extension,
  }
}

/** The languages of the two tables, by number; null: the default. */
export type Languages = { locking: number | null; single: number | null }

const [TURKISH, SPANISH, PORTUGUESE] = [1, 2, 3] as const

const LOCKING = new Map<number | null, string>([
  [TURKISH, overlay({ 0x04: '€', 0x07: 'ı', 0x0b: 'Ğ', 0x0c: 'ğ', 0x1c: 'Ş', 0x1d: 'ş', 0x40: 'İ', 0x60: 'ç' })],
  [
    PORTUGUESE,
    '@£$¥êéúíóç\nÔô\rÁáΔ_ªÇÀ∞^\\€Ó| ÂâÊÉ' +
      ' !"#º%&\'()*+,-./0123456789:;<=>?' +
      'ÍABCDEFGHIJKLMNOPQRSTUVWXYZÃÕÚÜ§' +
      '~abcdefghijklmnopqrstuvwxyzãõ`üà',
  ],
])

const SINGLE = new Map<number | null, ReadonlyMap<number, string>>([
  [TURKISH, extend([0x47, 0x49, 0x53, 0x63, 0x67, 0x69, 0x73], 'ĞİŞçğış')],
  [SPANISH, extend([0x09, 0x41, 0x49, 0x4f, 0x55, 0x61, 0x69, 0x6f, 0x75], 'çÁÍÓÚáíóú')],
  [
    PORTUGUESE,
    extend(
      [
        0x05, 0x09, 0x0b, 0x0c, 0x0e, 0x0f, 0x12, 0x13, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1f, 0x41, 0x49, 0x4f, 0x55,
        0x5b, 0x5c, 0x61, 0x69, 0x6f, 0x75, 0x7b, 0x7c, 0x7f,
      ],
      'êçÔôÁáΦΓΩΠΨΣΘÊÀÍÓÚÃÕÂíóúãõâ',
    ),
  ],
])

function overlay(changes: Record<number, string>): string {
  return Array.from(DEFAULT_TABLES.basic, (character, code) => changes[code] ?? character).join('')
}

function extend(codes: readonly number[], characters: string): ReadonlyMap<number, string> {
  return new Map([...DEFAULT_TABLES.extension, ...codes.map((code, i) => [code, characters[i]!] as const)])
}
