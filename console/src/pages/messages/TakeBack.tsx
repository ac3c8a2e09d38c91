import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** For a message that has not left yet. */
export function TakeBack({ id, count }: { id: string; count: number }) {
  const say = useSay()
  const [asking, setAsking] = useState(false)
  const cancel = useWrite(() => call('DELETE', `/sms/${id}`), ['/console/api', '/sms'])
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Take it back
      </Button>
      {asking && (
        <Confirm
          title="Take the message back?"
          action="Take it back"
          busy={cancel.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            cancel.mutate(undefined, {
              onSuccess: () => say('The message is taken back, and its charge given back.'),
              onError: (fault) => say(fault.message, 'bad'),
              onSettled: () => setAsking(false),
            })
          }
        >
          <p>
            {count === 1 ? 'One recipient' : `${count.toLocaleString('en')} recipients`} will not get it. What has left
            already goes its way.
          </p>
        </Confirm>
      )}
    </>
  )
}
