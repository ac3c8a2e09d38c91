import type { ShownPlan } from '../../api-types.ts'
import { call } from '../../api.ts'
import { t } from '../../text/text.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { planPath, STALE } from './probes.ts'

export function RemovePlan({ plan: { name }, onClose }: { plan: ShownPlan; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete {name}?', { name })}
      action={t('Delete the plan')}
      keep={t('Keep the plan')}
      write={() => call('DELETE', planPath(name))}
      stale={STALE}
      onDone={() => say(t('{name} is deleted.', { name }))}
      onClose={onClose}
    >
      <p>{t('It sends no more probes. Its results stay.')}</p>
    </Confirm>
  )
}
