import type { ListedPurchase } from '../../../../clients/typescript/src/types.ts'
import { useRead } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Pending } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'

export function PurchaseView({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useRead(`/airtime/${encodeURIComponent(id)}`, { every_ms: 2_000 })
  return (
    <Dialog title={t('Purchase')} drawer wide onClose={onClose}>
      <Pending read={found} />
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
          [t('Status'), <Badge status={purchase.status} />],
          [t('Why'), purchase.description],
          [t('For||a person'), <Phone number={purchase.recipient} />],
          [t('Network'), purchase.network],
          [t('Amount'), <Money amount={charge.amount - (charge.commission ?? 0)} />],
          [t('Commission'), charge.commission !== undefined && <Money amount={charge.commission} sign />],
          [t('Charge||money'), charge.refunded ? t('refunded') : t('charged')],
          [t('Balance before||a purchase'), <Money amount={charge.balance_before} />],
          [t('Balance after||a purchase'), <Money amount={charge.available_balance} />],
          [t('Reference'), purchase.external_ref],
          [t('Callback'), purchase.callback],
          [t('Bought'), <Time at={purchase.created_datetime} />],
          [t('Last changed'), purchase.updated_datetime && <Time at={purchase.updated_datetime} />],
          [
            t('Id'),
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
