import { stateOfCalls, type Heard } from '../heard.ts'
import type { CarrierState } from '../schema.ts'
import { hideSecret } from './addresses.ts'
import type { HttpSettings } from './schema.ts'
import type { KeptBalance } from './store.ts'
import { makeVendor } from './vendor.ts'

type Known = Heard & { balances: readonly KeptBalance[] }

/** What can be said of a vendor without asking it: whether it answers, or has told us to stop; our money, our addresses. */
export function describeHttp(settings: HttpSettings, public_url: string, known: Known): CarrierState {
  const { name, kind, low_balance } = settings
  const balance = known.balances.find(({ carrier }) => carrier === name)
  const is_low = balance !== undefined && low_balance !== undefined && Number(balance.balance) < low_balance
  const { addresses, preset } = makeVendor(settings, public_url)
  const called = stateOfCalls(name, known)
  // Who has told us our balance answers, though no message has gone there yet.
  const heard = called.state === 'unknown' && balance ? { state: 'up' as const } : called
  const detail = [
    preset.vendor,
    'detail' in heard && heard.detail,
    balance && `balance ${balanceText(balance)}${is_low ? ', which is low' : ''}`,
  ].filter(Boolean)
  return {
    name,
    kind,
    state: heard.state === 'up' && is_low ? 'degraded' : heard.state,
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
