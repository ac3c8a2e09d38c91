import { isCovered } from '../balance.ts'
import { useRead } from '../read.ts'
import { Link } from '../router.tsx'
import { useSession } from '../session.ts'
import { Rich, t } from '../text/text.ts'
import { money } from '../ui/Money.tsx'

const EVERY_MS = 15_000

/** Says on every page that the money runs out, where the settings name a line. */
export function LowBalance() {
  const { organisation } = useSession()
  const { data } = useRead('/balance?limit=1', { every_ms: EVERY_MS })
  if (data?.low_balance === undefined || isCovered(data, data.low_balance)) return null
  return (
    <div className="banner" role="status">
      <p>
        <Rich
          text="<b>The balance is low:</b> {amount} left."
          values={{ amount: money(data.balance, organisation.currency) }}
          b={(inner) => <b>{inner}</b>}
        />{' '}
        <Link to="/ledger">{t('Ledger')}</Link>
      </p>
    </div>
  )
}
