import metadata from 'libphonenumber-js/max/metadata'

const CALLING_CODES: Record<string, readonly string[]> = metadata.country_calling_codes
const LONGEST_CALLING_CODE = 3

/** The countries that share the number's calling code, the largest first; empty if the code is not assigned. */
export function countriesOf(recipient: string): readonly string[] {
  for (let length = 1; length <= LONGEST_CALLING_CODE; length++) {
    const found = CALLING_CODES[recipient.slice(0, length)]
    if (found) return found
  }
  return []
}
