import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { KEYS, type Key } from './keys.ts'
import { NewSecret } from './NewSecret.tsx'

/** A new key with the same rights; the old one goes on until everybody has the new one. */
export function RotateKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [hours, setHours] = useState('24')
  const rotate = useWrite(
    () => call<{ secret: string }>('POST', `${KEYS}/${apiKey.id}/rotate`, { overlap_hours: Number(hours) }),
    [KEYS],
  )
  if (rotate.data) return <NewSecret secret={rotate.data.secret} onClose={onClose} />
  return (
    <Dialog title="Rotate a key" onClose={onClose}>
      <Form error={rotate.error} onSubmit={() => rotate.mutate()}>
        <p>
          A new key takes the place of <span className="mono">{apiKey.hint}</span>, with the same name and rights.
        </p>
        <SelectField
          name="overlap_hours"
          label="The old one goes on for"
          value={hours}
          onChange={setHours}
          choices={[
            { value: '0', label: 'no longer' },
            { value: '1', label: 'an hour' },
            { value: '24', label: 'a day' },
            { value: '168', label: 'a week' },
            { value: '720', label: 'thirty days' },
          ]}
        />
        <FormActions>
          <Button look="main" type="submit" busy={rotate.isPending}>
            Rotate
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
