import { dialPlan, isCountry } from '../values/phone/phone.ts'
import { isRecord } from '../values/record.ts'
import type { Settings } from './settings.ts'

/**
 * The settings file with the country and currency of the environment, which override those of the file. Without
 * configured prices there is one price for that country and one for all others.
 */
export function withPlace(env: NodeJS.ProcessEnv, file: unknown): unknown {
  if (!isRecord(file)) return file
  const organisation = isRecord(file.organisation) ? file.organisation : {}
  const country = env.GANGAN_COUNTRY || organisation.default_country
  return {
    ...file,
    ...(env.GANGAN_CURRENCY ? { currency: env.GANGAN_CURRENCY } : {}),
    ...(env.GANGAN_COUNTRY ? { organisation: { ...organisation, default_country: country } } : {}),
    ...(file.prices === undefined && isCountry(country) ? { prices: pricesAtHome(String(country)) } : {}),
  }
}

export function placeFaults(env: NodeJS.ProcessEnv): string[] {
  const { GANGAN_COUNTRY: country, GANGAN_CURRENCY: currency } = env
  return [
    ...(country && !isCountry(country) ? ['GANGAN_COUNTRY: must be a country code such as NG'] : []),
    ...(currency && !/^[A-Z]{3}$/.test(currency) ? ['GANGAN_CURRENCY: must be a currency code such as NGN'] : []),
  ]
}

function pricesAtHome(country: string): Settings['prices'] {
  const prefix = dialPlan(country).calling_code
  return [
    { channel: 'sms', prefix, price: 4 },
    { channel: 'sms', prefix: '', price: 35 },
    { channel: 'whatsapp', prefix, price: 6 },
    { channel: 'whatsapp', prefix: '', price: 40 },
  ]
}
