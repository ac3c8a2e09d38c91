import { useState } from 'react'
import type { ShownPlan } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { Link, useNew } from '../../router.tsx'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { EditPlan } from './EditPlan.tsx'
import { PlanTable, type PlanAction } from './PlanTable.tsx'
import { missingFor, PROBES, type Plans } from './probes.ts'
import './probes.css'
import { RemovePlan } from './RemovePlan.tsx'
import { Results } from './Results.tsx'
import { SwitchOn } from './SwitchOn.tsx'

const EVERY_MS = 10_000

/** Texts to phones of the operator: plans, and what arrived. */
export default function Probes() {
  const found = useRead(PROBES, { every_ms: EVERY_MS })
  const [creating, setCreating] = useNew()
  const [doing, setDoing] = useState<{ what: PlanAction; plan: ShownPlan }>()
  const close = () => setDoing(undefined)
  const answer = found.data
  const missing = answer && missingFor(answer)
  return (
    <Page
      title={t('Probes')}
      lead={t('Texts to phones of yours that show what carriers really deliver, beside what they report.')}
      wide
      actions={
        answer && (
          <Button look="main" icon="plus" blocked={missing} onClick={() => setCreating(true)}>
            {t('New plan')}
          </Button>
        )
      }
    >
      <Pending read={found} />
      {answer && (
        <>
          <Section
            title={t('Plans')}
            lead={t('One carrier, one operator, one sender. The interval varies, so that the carrier sees no pattern.')}
            flush
          >
            <PlanTable
              answer={answer}
              onDo={(what, plan) => setDoing({ what, plan })}
              empty={
                missing === undefined ? <NoPlan onCreate={() => setCreating(true)} /> : <NoPhone answer={answer} />
              }
            />
          </Section>
          <Results plans={answer} />
          {creating && missing === undefined && (
            <EditPlan
              answer={answer}
              onSaved={(plan) => setDoing({ what: 'switch on', plan })}
              onClose={() => setCreating(false)}
            />
          )}
        </>
      )}
      {answer && doing?.what === 'edit' && <EditPlan answer={answer} plan={doing.plan} onClose={close} />}
      {answer && doing?.what === 'switch on' && (
        <SwitchOn plan={doing.plan} currency={answer.currency} onClose={close} />
      )}
      {doing?.what === 'delete' && <RemovePlan plan={doing.plan} onClose={close} />}
    </Page>
  )
}

function NoPlan({ onCreate }: { onCreate: () => void }) {
  return (
    <Empty title={t('No plans yet.')}>
      <p>{t('Create one. It is switched off until you have seen what it costs.')}</p>
      <Button changes onClick={onCreate}>
        {t('New plan')}
      </Button>
    </Empty>
  )
}

/** What has to be configured before there can be a plan. */
function NoPhone({ answer: { operators } }: { answer: Plans }) {
  if (operators.length > 0) {
    return (
      <Empty title={t('No carrier can be probed.')}>
        <p>{t('Probes are sent through carriers of the kind smpp or http. Configure one.')}</p>
        <Link to="/carriers" className="button">
          {t('Carriers')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty title={t('No phone receives probes.')}>
      <p>
        <Rich
          text="Put a SIM of each operator that matters into an Android phone, and configure a carrier of the kind phone with <code>{setting}</code> and the numbers of the SIMs."
          values={{ setting: 'probe: true' }}
          code={(inner) => <code>{inner}</code>}
        />
      </p>
      <p className="row probes-links">
        <a href="/docs/probes" target="_blank" rel="noreferrer">
          {t('From nothing to the first probe')}
        </a>
        <Link to="/carriers">{t('Carriers')}</Link>
      </p>
    </Empty>
  )
}
