import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { KEYS, SCOPES } from './keys.ts'
import { NewSecret } from './NewSecret.tsx'

export function CreateKey({ onClose }: { onClose: () => void }) {
  const { organisation } = useSession()
  const [mode, setMode] = useState<string>(organisation.mode)
  const [name, setName] = useState('')
  const [expires, setExpires] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>(SCOPES.map(([scope]) => scope))
  const create = useWrite(
    () =>
      call<{ secret: string }>('POST', KEYS, {
        mode,
        ...(name ? { name } : {}),
        ...(scopes.length < SCOPES.length ? { scopes } : {}),
        ...(expires ? { expires_datetime: new Date(expires).toISOString() } : {}),
      }),
    [KEYS, '/console/api/checklist'],
  )
  if (create.data) return <NewSecret secret={create.data.secret} onClose={onClose} />
  return (
    <Dialog title="Make a key" onClose={onClose}>
      <Form error={create.error} onSubmit={() => create.mutate()}>
        <TextField name="name" label="Name" optional hint="Where it will be used." value={name} onChange={setName} />
        <div className="fields">
          <SelectField
            name="mode"
            label="Mode"
            value={mode}
            onChange={setMode}
            choices={[
              { value: 'live', label: 'Live' },
              { value: 'test', label: 'Test' },
            ]}
          />
          <TextField
            name="expires_datetime"
            label="Expires"
            optional
            type="datetime-local"
            value={expires}
            onChange={setExpires}
          />
        </div>
        <fieldset className="keys-scopes">
          <legend>What it may do</legend>
          {SCOPES.map(([scope, title]) => (
            <CheckField
              key={scope}
              name={scope}
              label={title}
              checked={scopes.includes(scope)}
              onChange={(checked) => setScopes(checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))}
            />
          ))}
        </fieldset>
        <FormActions>
          <Button look="main" type="submit" busy={create.isPending} disabled={scopes.length === 0}>
            Make the key
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
