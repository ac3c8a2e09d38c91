import { useRead } from '../../read.ts'
import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Pending } from '../../ui/Empty.tsx'
import { FormActions } from '../../ui/Form.tsx'
import { Time } from '../../ui/Time.tsx'
import { Faults, IMPORTS, sentence } from './ImportProgress.tsx'

/** What became of an import that is over, with the lines it rejected. It is in the address: other pages link to it. */
export function ImportReport({ id }: { id: string }) {
  const found = useRead(`${IMPORTS}/${id}`)
  const run = found.data
  return (
    <Dialog title={t('Import of contacts')} wide onClose={() => changeQuery({ import: undefined })}>
      <Pending read={found} />
      {run && (
        <div className="stack">
          <p className="row">
            <Badge status={run.status} />
            <b>{sentence(run, true)}</b>
            <Time at={run.created_datetime} seconds={false} />
          </p>
          {run.fault && <p className="faults">{run.fault}</p>}
          {run.faults.length > 0 && <Faults run={run} />}
        </div>
      )}
      <FormActions>
        <CloseButton />
      </FormActions>
    </Dialog>
  )
}
