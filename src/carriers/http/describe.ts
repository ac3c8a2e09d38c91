import { describeAvailability } from '../availability.ts'
import { readAvailability } from '../availability-store.ts'
import type { DescribeDeps } from '../kind.ts'
import type { CarrierState } from '../schema.ts'
import { hideSecret } from './addresses.ts'
import type { HttpSettings } from './schema.ts'
import { listBalances, type StoredBalance } from './store.ts'
import { makeVendor } from './vendor.ts'

/** Describes vendors without calling them: whether they answer or are paused, our balance, our addresses. */
export async function describeHttp(
  { db, public_url }: DescribeDeps,
  carriers: readonly HttpSettings[],
): Promise<CarrierState[]> {
  const [stored, balances] = await Promise.all([readAvailability(db), listBalances(db)])
  return carriers.map((settings) => {
    const { name, kind, low_balance } = settings
    const balance = balances.find(({ carrier }) => carrier === name)
    const is_low = balance !== undefined && low_balance !== undefined && Number(balance.balance) < low_balance
    const { addresses, preset } = makeVendor(settings, public_url)
    const called = describeAvailability(name, stored)
    // A vendor that returned our balance answers, even if no message was submitted to it yet.
    const available = called.state === 'unknown' && balance ? { state: 'up' as const } : called
    const detail = [
      preset.vendor,
      'detail' in available && available.detail,
      balance && `balance ${balanceText(balance)}${is_low ? ', which is low' : ''}`,
    ].filter(Boolean)
    return {
      name,
      kind,
      state: available.state === 'up' && is_low ? 'degraded' : available.state,
      detail: detail.join('; '),
      addresses: {
        ...(addresses.reports === undefined ? {} : { reports: hideSecret(addresses.reports) }),
        ...(addresses.texts === undefined ? {} : { texts: hideSecret(addresses.texts) }),
      },
    }
  })
}

export function balanceText({ balance, currency }: Pick<StoredBalance, 'balance' | 'currency'>): string {
  const amount = balance.replace(/(\.\d\d)0+$/, '$1')
  return currency === null ? amount : `${amount} ${currency}`
}
