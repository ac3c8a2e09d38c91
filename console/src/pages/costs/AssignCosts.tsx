import { useState } from 'react'
import type { CostAssignment } from '../../api-types.ts'
import { call, withQuery } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { CheckField, SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ASSIGNMENTS, PRICE_LISTS, STALE } from '../prices/prices.ts'

type BilledOn = CostAssignment['billed_on']

/** A carrier, and the cost list that it has. */
export type CarrierRow = { carrier: string; routes: readonly string[]; assigned: CostAssignment | undefined }

export const BILLED_ON: Record<BilledOn, string> = {
  submitted: t('what it accepts||a carrier charges for'),
  delivered: t('what is delivered||a carrier charges for'),
}

/** Assigns a cost list to a carrier, or none. */
export function AssignCosts({ row: { carrier, assigned }, onClose }: { row: CarrierRow; onClose: () => void }) {
  const say = useSay()
  const lists = useRead(withQuery(PRICE_LISTS, { kind: 'cost' }))
  const [cost_list, setList] = useState(assigned?.cost_list ?? '')
  const [billed_on, setBilledOn] = useState<BilledOn>(assigned?.billed_on ?? 'submitted')
  const [use_answers, setUseAnswers] = useState(assigned?.use_answers ?? false)
  const body = cost_list === '' ? { cost_list: null } : { cost_list, billed_on, use_answers }
  const write = useWrite(() => call('POST', `${ASSIGNMENTS}/${encodeURIComponent(carrier)}`, body), STALE)
  return (
    <FormDialog
      title={t('Costs of {carrier}', { carrier })}
      action={t('Save')}
      write={write}
      onDone={() => say(t('The costs of {carrier} are saved.', { carrier }))}
      onClose={onClose}
    >
      <SelectField
        name="cost_list"
        label={t('Cost list')}
        hint={t('Applies to what is submitted from now on. Recorded costs stay.')}
        value={cost_list}
        onChange={setList}
        choices={[
          { value: '', label: t('none: costs are not known') },
          ...(lists.data?.price_lists ?? []).map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      {cost_list !== '' && (
        <>
          <SelectField
            name="billed_on"
            label={t('The carrier charges for')}
            value={billed_on}
            onChange={(value) => setBilledOn(value === 'delivered' ? 'delivered' : 'submitted')}
            choices={[
              { value: 'submitted', label: BILLED_ON.submitted },
              { value: 'delivered', label: BILLED_ON.delivered },
            ]}
          />
          <CheckField
            name="use_answers"
            label={t('Costs in its answers count instead of the list')}
            hint={t('For HTTP vendors that state the cost in your currency.')}
            checked={use_answers}
            onChange={setUseAnswers}
          />
        </>
      )}
    </FormDialog>
  )
}
