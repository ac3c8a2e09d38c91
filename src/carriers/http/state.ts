import type { Pause } from '../pauses-store.ts'
import type { CarrierState } from '../schema.ts'
import { hideSecret } from './addresses.ts'
import type { HttpSettings } from './schema.ts'
import type { KeptBalance } from './store.ts'
import { makeVendor } from './vendor.ts'

type Known = { pauses: readonly (Pause & { carrier: string })[]; balances: readonly KeptBalance[] }

/** What can be said of a vendor without asking it: whether it has told us to stop, our money there, our addresses. */
export function describeHttp(settings: HttpSettings, public_url: string, { pauses, balances }: Known): CarrierState {
  const { name, kind, low_balance } = settings
  const pause = pauses.find(({ carrier }) => carrier === name)
  const balance = balances.find(({ carrier }) => carrier === name)
  const is_low = balance !== undefined && low_balance !== undefined && Number(balance.balance) < low_balance
  const { addresses, preset } = makeVendor(settings, public_url)
  const detail = [
    preset.vendor,
    pause && `paused: ${pause.code} ${pause.reason}`,
    balance && `balance ${balanceText(balance)}${is_low ? ', which is low' : ''}`,
  ].filter(Boolean)
  return {
    name,
    kind,
    state: pause ? 'down' : is_low ? 'degraded' : 'up',
    detail: detail.join('; '),
    addresses: {
      ...(addresses.reports === undefined ? {} : { reports: hideSecret(addresses.reports) }),
      ...(addresses.texts === undefined ? {} : { texts: hideSecret(addresses.texts) }),
    },
  }
}

export function balanceText({ balance, currency }: Pick<KeptBalance, 'balance' | 'currency'>): string {
  const amount = balance.replace(/(\.\d\d)0+$/, '$1')
  return currency === null ? amount : `${amount} ${currency}`
}
