import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Select } from '../../ui/select/Select.tsx'

/** Which figure the chart draws. It is kept in the address. */
export function FigureSelect({
  chosen,
  metrics,
}: {
  chosen: string
  metrics: readonly { name: string; title: string }[]
}) {
  return (
    <Select
      label={t('Figure drawn')}
      value={chosen}
      onChange={(metric) => changeQuery({ metric })}
      choices={metrics.map(({ name, title }) => ({ value: name, label: title }))}
    />
  )
}
