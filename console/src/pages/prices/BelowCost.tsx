import { useState } from 'react'
import type { PriceList } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { isOurs, PRICE_LISTS, STALE } from './prices.ts'

type Choice = PriceList['below_cost']

/** What a price list does with messages whose price is below the cost of their route's first carrier. */
export const BELOW_COST: Record<Choice, { label: string; tone: Tone; sentence: string }> = {
  allow: {
    label: t('allowed||prices below cost'),
    tone: 'calm',
    sentence: t('Messages at prices below cost are sent.'),
  },
  warn: {
    label: t('counted||prices below cost'),
    tone: 'warn',
    sentence: t('Messages at prices below cost are sent and counted in a metric, which an alert watches.'),
  },
  refuse: {
    label: t('refused||prices below cost'),
    tone: 'good',
    sentence: t('Messages at prices below cost are refused, as if the list had no price for them.'),
  },
}

/** What the list does with them, and the button that changes it. */
export function BelowCost({ list }: { list: PriceList }) {
  const [choosing, setChoosing] = useState(false)
  const { label, tone, sentence } = BELOW_COST[list.below_cost]
  return (
    <Section
      title={t('Prices below cost')}
      lead={sentence}
      actions={isOurs(list) && <Button onClick={() => setChoosing(true)}>{t('Change')}</Button>}
    >
      <p>
        <Badge status={label} tone={tone} />
      </p>
      {choosing && <Choose list={list} onClose={() => setChoosing(false)} />}
    </Section>
  )
}

function Choose({ list: { name, below_cost }, onClose }: { list: PriceList; onClose: () => void }) {
  const say = useSay()
  const [chosen, setChosen] = useState<Choice>(below_cost)
  const write = useWrite(() => call('PATCH', `${PRICE_LISTS}/${name}`, { below_cost: chosen }), STALE)
  return (
    <FormDialog
      title={t('Prices of {list} below cost', { list: name })}
      action={t('Save')}
      write={write}
      onDone={() => say(t('Saved. It applies within two seconds.'))}
      onClose={onClose}
    >
      <SelectField
        name="below_cost"
        label={t('Prices below cost')}
        hint={BELOW_COST[chosen].sentence}
        value={chosen}
        onChange={(value) => isChoice(value) && setChosen(value)}
        choices={CHOICES}
      />
    </FormDialog>
  )
}

const CHOICES: readonly { value: Choice; label: string }[] = [
  { value: 'allow', label: t('Allow||prices below cost') },
  { value: 'warn', label: t('Allow and count||prices below cost') },
  { value: 'refuse', label: t('Refuse||prices below cost') },
]

const isChoice = (value: string): value is Choice => CHOICES.some((one) => one.value === value)
