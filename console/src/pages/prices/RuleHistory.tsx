import type { PriceList, PriceRule } from '../../api-types.ts'
import { withQuery } from '../../api.ts'
import { useRead } from '../../read.ts'
import { t } from '../../text/text.ts'
import { actorName } from '../../ui/actor-name.ts'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { FormActions } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { PRICE_LISTS, targetName, WORDS } from './prices.ts'

type Props = { list: PriceList; rule: PriceRule; currency: string; onClose: () => void }

/** All prices that a rule had and will have. */
export function RuleHistory({ list: { name, kind }, rule, currency, onClose }: Props) {
  const { data, error } = useRead(withQuery(`${PRICE_LISTS}/${name}/history`, { target: rule.target }))
  return (
    <Dialog title={targetName(rule)} wide onClose={onClose}>
      {error && <Trouble error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <Table
          label={t('History')}
          rows={data.rules.map((row, index) => ({ ...row, key: String(index) }))}
          rowKey={({ key }) => key}
          columns={[
            {
              title: WORDS[kind].amount,
              number: true,
              narrow: true,
              cell: ({ price }) => (price === undefined ? t('none||price') : money(price, currency)),
            },
            {
              title: t('From||a moment'),
              narrow: true,
              cell: ({ valid_from }) => (valid_from === undefined ? '–' : <Time at={valid_from} />),
            },
            { title: t('Set||a price'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: t('By||who did it'), cell: ({ actor }) => actorName(actor) },
            {
              title: t('Withdrawn'),
              narrow: true,
              cell: ({ withdrawn_datetime }) =>
                withdrawn_datetime === undefined ? '–' : <Time at={withdrawn_datetime} />,
            },
          ]}
          empty={null}
        />
      )}
      <FormActions>
        <CloseButton />
      </FormActions>
    </Dialog>
  )
}
