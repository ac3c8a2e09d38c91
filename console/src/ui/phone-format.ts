import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'
import { chosen } from '../text/language.ts'

/** The parts of a number as its country writes it: `14155552671` is `+1`, `415`, `555`, `2671`. */
export function phoneGroups(digits: string): string[] {
  return parsePhoneNumberFromString(`+${digits}`, metadata)?.formatInternational().split(' ') ?? [`+${digits}`]
}

/** The digits of a number with its country code; undefined for what no country has, and for extensions. */
export function numberIn(text: string, country: string): string | undefined {
  const options = { extract: false, ...(isCountry(country) ? { defaultCountry: country } : {}) }
  const found = parsePhoneNumberFromString(text, options, metadata)
  return found?.isPossible() && found.ext === undefined ? found.number.slice(1) : undefined
}

/** Every country that can be dialled, by its name. */
export function countryChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(chosen.language, { type: 'region' })
  return getCountries(metadata)
    .map((code) => ({ value: code as string, label: `${names.of(code) ?? code} (+${callingCode(code)})` }))
    .sort((a, b) => a.label.localeCompare(b.label, chosen.language))
}

/** `234` for `NG`; nothing for what is no country. */
function callingCode(country: string): string | undefined {
  return isCountry(country) ? getCountryCallingCode(country, metadata) : undefined
}

function isCountry(code: string): code is CountryCode {
  return Object.hasOwn(metadata.countries, code)
}
