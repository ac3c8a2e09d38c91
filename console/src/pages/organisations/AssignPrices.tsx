import { useState } from 'react'
import type { ListedOrganisation } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'

const LISTS = '/console/api/price-lists'

/** Assigns a price list to an organisation. */
export function AssignPrices({ organisation, onClose }: { organisation: ListedOrganisation; onClose: () => void }) {
  const say = useSay()
  const { id, name } = organisation
  const lists = useRead(LISTS)
  const [list, setList] = useState(organisation.price_list ?? '')
  const write = useWrite(
    () => call('POST', `/console/api/organisations/${id}/price-list`, { price_list: list === '' ? null : list }),
    ['/console/api/organisations', LISTS, '/console/api/audit'],
  )
  const choices = lists.data?.price_lists ?? []
  const chosen_default = choices.find(({ is_default }) => is_default)?.name ?? ''
  return (
    <FormDialog
      title={t('Prices of {name}', { name })}
      action={t('Save')}
      write={write}
      onDone={() => say(t('The price list of {name} is saved.', { name }))}
      onClose={onClose}
    >
      <SelectField
        name="price_list"
        label={t('Price list')}
        hint={t('Applies to its test organisation as well, within two seconds.')}
        value={list}
        onChange={setList}
        choices={[
          { value: '', label: t('The default ({list})', { list: chosen_default }) },
          ...choices.map((one) => ({ value: one.name, label: one.name })),
        ]}
      />
    </FormDialog>
  )
}
