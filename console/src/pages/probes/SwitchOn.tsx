import type { ShownPlan } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { DataList } from '../../ui/DataList.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { money } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { operatorName } from '../evidence/evidence.ts'
import { hoursOf, planPath, STALE } from './probes.ts'

type Props = { plan: ShownPlan; currency: string; onClose: () => void }

/** Switches a plan on, once its expected cost was seen. */
export function SwitchOn({ plan, currency, onClose }: Props) {
  const { name, carrier, per_day, per_campaign, expected_cost, numbers } = plan
  const say = useSay()
  const write = useWrite(() => call('PATCH', planPath(name), { enabled: true }), STALE)
  return (
    <FormDialog
      title={t('Switch on {name}?', { name })}
      action={t('Switch on')}
      write={write}
      onDone={() => say(t('{name} is switched on.', { name }))}
      onClose={onClose}
    >
      <p>
        {plural(
          per_day,
          'At most {n} probe in 24 hours, from {hours}, through {carrier} to {numbers} of {operator}.',
          'At most {n} probes in 24 hours, from {hours}, through {carrier} to {numbers} of {operator}.',
          {
            hours: hoursOf(plan),
            carrier,
            operator: operatorName(plan),
            numbers: plural(numbers, '{n} number', '{n} numbers'),
          },
        )}
      </p>
      {per_campaign > 0 && (
        <p>
          {plural(
            per_campaign,
            'Of these, {n} has the text of each campaign that goes there. A campaign with longer texts costs more.',
            'Of these, up to {n} have the text of each campaign that goes there. A campaign with longer texts costs more.',
          )}
        </p>
      )}
      {expected_cost ? (
        <DataList
          items={[
            [t('Expected cost of a probe'), money(expected_cost.per_probe, currency)],
            [t('Expected cost of a day'), money(expected_cost.per_day, currency)],
            [t('Expected cost of 30 days'), money(expected_cost.per_month, currency)],
          ]}
        />
      ) : (
        <p>
          {t(
            'The expected cost is not known: the carrier has no cost list, or its list has no price for one of the numbers.',
          )}{' '}
          <Link to="/costs">{t('Cost lists')}</Link>
        </p>
      )}
    </FormDialog>
  )
}
