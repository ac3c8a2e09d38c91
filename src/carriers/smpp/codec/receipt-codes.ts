/**
 * Error codes in receipts of Nigerian carriers, by the prefix of the receipt's `stat` (DELIVRD, DELIVERED): the meaning of
 * a code depends on it. Codes have three characters.
 */
const MEANINGS: Record<string, Record<string, string>> = {
  DELIV: { '000': 'delivered' },
  UNDEL: {
    ...all('invalid or inactive number', '004', '20b', '255', '510'),
    ...all('subscriber on DND', '008', '085'),
    ...all('sender ID blocked', '034'),
    ...all('sender ID restricted by operator', '00a'),
    ...all('content or sender blocked on promotional route', '065', '600'),
    ...all('absent subscriber', '058', '0dc', '021', '21b'),
    ...all('operator failure or not supported', '032', '082'),
    ...all('subscriber barred', '130', '131'),
    ...all('unidentified subscriber', '205'),
    ...all('inbox full', '254'),
    ...all('restricted', '432'),
    ...all('absent, ported or barred', '439'),
  },
  REJ: { ...all('phone inbox full', '008') },
  EXPIR: {
    ...all('invalid or inactive number', '215'),
    ...all('inbox full', '120', '220', '254'),
    ...all('absent subscriber', '023', '027', '053', '054', '206', '21b'),
    ...all('operator system failure', '222', '306', '602'),
    ...all('subscriber barred', '20d'),
    ...all('sender ID not whitelisted', '40a'),
    ...all('content restricted or sender blocked', '078'),
    ...all('MSC time-out', '400'),
  },
}

/** The meaning of an error code; undefined if unknown. */
export function describeCode(stat: string, code: string): string | undefined {
  const word = stat.toUpperCase()
  const beginning = Object.keys(MEANINGS).find((one) => word.startsWith(one))
  return beginning === undefined ? undefined : MEANINGS[beginning]?.[code.toLowerCase()]
}

function all(meaning: string, ...codes: string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, meaning]))
}
