import type { PriceList, PriceRule } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { DateField } from '../../ui/date/DateField.tsx'
import { SelectField, TextField, ChannelField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { typedAmount, writtenAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { PRICE_LISTS, STALE, targetName, WORDS } from './prices.ts'

type Props = { list: PriceList; rule?: PriceRule | undefined; onClose: () => void }

/** Sets the price of what a rule applies to, from a moment on, or ends it. */
export function SetPrice({ list: { name, kind, version }, rule, onClose }: Props) {
  const say = useSay()
  const words = WORDS[kind]
  const draft = useDraft(`price.${name}.${rule?.target ?? 'new'}`, {
    channel: 'sms',
    route_class: '',
    prefix: '',
    country: '',
    operator: '',
    price: writtenAmount(rule?.price),
    valid_from: '',
  })
  const [given, change] = draft
  const target = rule ?? given
  const body = {
    version,
    ...filled({
      channel: target.channel,
      route_class: target.route_class,
      prefix: target.prefix,
      country: target.country,
      operator: target.operator,
      valid_from: given.valid_from,
    }),
    // Without a price, a rule that exists ends.
    price: given.price.trim() === '' && rule ? null : typedAmount(given.price),
  }
  const write = useWrite(() => call('POST', `${PRICE_LISTS}/${name}/rules`, body), STALE)
  return (
    <FormDialog
      title={rule ? words.change(targetName(rule)) : words.set}
      action={t('Save')}
      write={write}
      draft={draft}
      onDone={({ changed }) => say(changed ? words.saved : words.same)}
      onClose={onClose}
    >
      {!rule && (
        <>
          <ChannelField value={given.channel} onChange={(channel) => change({ channel })} />
          <TextField
            name="prefix"
            label={t('Prefix')}
            hint={t('With the country code, such as 234803. Several: separated by commas.')}
            optional
            value={given.prefix}
            onChange={(prefix) => change({ prefix })}
          />
          <TextField
            name="country"
            label={t('Country')}
            hint={t('A code or a name, such as NG or Nigeria.')}
            optional
            value={given.country}
            onChange={(country) => change({ country })}
          />
          <TextField
            name="operator"
            label={t('Operator')}
            hint={words.operator_hint}
            optional
            value={given.operator}
            onChange={(operator) => change({ operator })}
          />
          <SelectField
            name="route_class"
            label={t('Class')}
            value={given.route_class}
            onChange={(route_class) => change({ route_class })}
            choices={[
              { value: '', label: t('all messages') },
              { value: 'transactional', label: t('transactional') },
              { value: 'promotional', label: t('promotional') },
            ]}
          />
        </>
      )}
      <TextField
        name="price"
        label={words.per_page}
        hint={rule ? words.none_hint : undefined}
        optional={rule !== undefined}
        inputMode="decimal"
        value={given.price}
        onChange={(price) => change({ price })}
      />
      <DateField
        name="valid_from"
        label={t('From||a moment')}
        hint={words.from_hint}
        optional
        kind="moment"
        value={given.valid_from}
        onChange={(valid_from) => change({ valid_from })}
      />
    </FormDialog>
  )
}

function filled(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined || value.trim() === '' ? [] : [[name, value]],
    ),
  )
}
