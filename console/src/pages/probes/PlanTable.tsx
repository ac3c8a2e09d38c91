import type { ReactNode } from 'react'
import type { ShownPlan } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { number, plural, Rich, t } from '../../text/text.ts'
import { serviceWords } from '../../text/service-words.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { money } from '../../ui/Money.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { OUTCOMES } from '../carriers/outcome-words.ts'
import { operatorName } from '../evidence/evidence.ts'
import { hoursOf, planPath, STALE, type Plans } from './probes.ts'

/** What opens a window. */
export type PlanAction = 'edit' | 'switch on' | 'delete'

type Props = { answer: Plans; onDo: (what: PlanAction, plan: ShownPlan) => void; empty: ReactNode }

export function PlanTable({ answer: { plans, currency }, onDo, empty }: Props) {
  return (
    <Table
      label={t('Plans')}
      rows={plans}
      rowKey={({ name }) => name}
      columns={[
        { title: t('Plan'), cell: ({ name }) => <b>{name}</b> },
        {
          title: t('Carrier and operator'),
          cell: (plan) => (
            <div>
              {plan.carrier} <span className="second-line soft">{operatorName(plan)}</span>
            </div>
          ),
        },
        {
          title: t('Sender'),
          cell: ({ sender_id, wordings }) => (
            <div>
              {sender_id}{' '}
              <span className="second-line soft small">{plural(wordings.length, '{n} text', '{n} texts')}</span>
            </div>
          ),
        },
        {
          title: t('Probes a day'),
          number: true,
          cell: (plan) => (
            <div>
              {number(plan.per_day)} <span className="second-line soft small">{hoursOf(plan)}</span>
              {plan.per_campaign > 0 && (
                <span className="second-line soft small">
                  {t('{n} of each campaign', { n: number(plan.per_campaign) })}
                </span>
              )}
            </div>
          ),
        },
        {
          title: t('Expected cost'),
          number: true,
          cell: ({ expected_cost }) =>
            expected_cost === undefined ? (
              <span className="soft">{t('not known||a cost')}</span>
            ) : (
              <div>
                {t('{cost} a day', { cost: money(expected_cost.per_day, currency) })}{' '}
                <span className="second-line soft small">
                  {t('{cost} in 30 days', { cost: money(expected_cost.per_month, currency) })}
                </span>
              </div>
            ),
        },
        { title: t('State'), cell: (plan) => <State plan={plan} /> },
        {
          title: t('Actions'),
          unseen: true,
          cell: (plan) => <Actions plan={plan} onDo={(what) => onDo(what, plan)} />,
        },
      ]}
      empty={empty}
    />
  )
}

function State({ plan: { enabled, next_datetime, problem } }: { plan: ShownPlan }) {
  return (
    <div>
      {enabled ? <Badge status={t('on||a plan')} tone="good" /> : <Badge status={t('off||a plan')} tone="calm" />}
      {problem !== undefined && (
        <span className="second-line small">
          {t('The last one was not sent: {problem}', { problem: serviceWords(problem) })}
        </span>
      )}
      {next_datetime !== undefined && (
        <span className="second-line soft small">
          <Rich text="next: {time}" values={{ time: <Time at={next_datetime} seconds={false} /> }} />
        </span>
      )}
    </div>
  )
}

function Actions({ plan: { name, enabled }, onDo }: { plan: ShownPlan; onDo: (what: PlanAction) => void }) {
  const say = useSay()
  const switchOff = useWrite(() => call('PATCH', planPath(name), { enabled: false }), STALE)
  const run = useWrite(() => call('POST', `${planPath(name)}/run`), STALE)
  return (
    <>
      {enabled ? (
        <Button
          look="bare"
          busy={switchOff.isPending}
          onClick={() =>
            switchOff.mutate(undefined, {
              onSuccess: () => say(t('{name} is switched off.', { name })),
              onError: (fault) => say(fault.message, 'bad'),
            })
          }
        >
          {t('Switch off')}
        </Button>
      ) : (
        <Button look="bare" onClick={() => onDo('switch on')}>
          {t('Switch on')}
        </Button>
      )}
      <Button
        look="bare"
        busy={run.isPending}
        onClick={() =>
          run.mutate(undefined, {
            onSuccess: ({ probe: { outcome, outcome_reason = '' } }) =>
              say(
                t('Probe of {name}: {outcome}. {reason}', {
                  name,
                  outcome: OUTCOMES[outcome],
                  reason: outcome === 'accepted' ? '' : outcome_reason,
                }).trim(),
                outcome === 'accepted' ? 'good' : 'bad',
              ),
            onError: (fault) => say(fault.message, 'bad'),
          })
        }
      >
        {t('Run now')}
      </Button>
      <Button look="bare" onClick={() => onDo('edit')}>
        {t('Edit')}
      </Button>
      <Button look="remove" onClick={() => onDo('delete')}>
        {t('Delete')}
      </Button>
    </>
  )
}
