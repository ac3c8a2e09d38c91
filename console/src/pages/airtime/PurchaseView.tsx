import type { ListedPurchase } from '../../../../src/airtime/schema.ts'
import { useRead } from '../../read.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'

export function PurchaseView({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useRead(`/airtime/${encodeURIComponent(id)}`, { every_ms: 2_000 })
  return (
    <Dialog title="Purchase" drawer wide onClose={onClose}>
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && <Facts purchase={found.data} />}
    </Dialog>
  )
}

function Facts({ purchase }: { purchase: ListedPurchase }) {
  const { charge, warnings = [] } = purchase.meta
  return (
    <>
      <DataList
        items={[
          ['Status', <Badge status={purchase.status} />],
          ['Why', purchase.description],
          ['For', <Phone number={purchase.recipient} />],
          ['Network', purchase.network],
          ['Amount', <Money amount={charge.amount} />],
          ['Charge', charge.refunded ? 'given back' : 'taken'],
          ['Balance before', <Money amount={charge.balance_before} />],
          ['Balance after', <Money amount={charge.available_balance} />],
          ['Reference', purchase.external_ref],
          ['Callback', purchase.callback],
          ['Bought', <Time at={purchase.created_datetime} />],
          ['Changed', purchase.updated_datetime && <Time at={purchase.updated_datetime} />],
          [
            'Id',
            <>
              <span className="mono">{purchase.id}</span> <CopyButton text={purchase.id} />
            </>,
          ],
        ]}
      />
      {warnings.map((warning) => (
        <p key={warning} className="soft">
          {warning}
        </p>
      ))}
    </>
  )
}
