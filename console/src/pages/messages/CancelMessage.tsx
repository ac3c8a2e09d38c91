import { useState } from 'react'
import { call } from '../../api.ts'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** For a message that has not left yet. */
export function CancelMessage({ id, count }: { id: string; count: number }) {
  const say = useSay()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('Cancel the message')}
      </Button>
      {asking && (
        <Confirm
          title={t('Cancel the message?')}
          action={t('Cancel the message')}
          keep={t('Keep the message')}
          write={() => call('DELETE', `/sms/${id}`)}
          stale={['/console/api', '/sms']}
          onDone={() => say(t('The message is canceled, and its charge refunded.'))}
          onClose={() => setAsking(false)}
        >
          <p>
            {plural(
              count,
              'One recipient will not get it. Messages already sent are not affected.',
              '{n} recipients will not get it. Messages already sent are not affected.',
            )}
          </p>
        </Confirm>
      )}
    </>
  )
}
