import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { CheckFields, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
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
      call('POST', KEYS, {
        mode,
        ...(name ? { name } : {}),
        ...(scopes.length < SCOPES.length ? { scopes } : {}),
        ...(expires ? { expires_datetime: new Date(expires).toISOString() } : {}),
      }),
    [KEYS, '/console/api/checklist'],
  )
  if (create.data) return <NewSecret secret={create.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title="Make a key"
      action="Make the key"
      write={create}
      disabled={scopes.length === 0}
      onClose={onClose}
    >
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
      <CheckFields legend="What it may do" choices={SCOPES} checked={scopes} onChange={setScopes} />
      <p className="hint">With all of them it is a key to everything, the phones of the sandbox as well.</p>
    </FormDialog>
  )
}
