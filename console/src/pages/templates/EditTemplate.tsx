import { useState } from 'react'
import type { Template } from '../../../../src/templates/schema.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { placeholdersOf } from '../send/recipients.ts'
import { TEMPLATES } from './templates.ts'

export function EditTemplate({ id, onClose }: { id: string; onClose: () => void }) {
  const made = id !== 'new'
  const found = useRead(made ? `${TEMPLATES}/${encodeURIComponent(id)}` : null)
  return (
    <Dialog title={made ? 'Template' : 'A new template'} wide onClose={onClose}>
      {made && found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {(!made || found.data) && <Editor template={found.data} onClose={onClose} />}
    </Dialog>
  )
}

function Editor({ template, onClose }: { template: Template | undefined; onClose: () => void }) {
  const say = useSay()
  const [name, setName] = useState(template?.name ?? '')
  const [content, setContent] = useState(template?.content ?? '')
  const save = useWrite(
    () =>
      template
        ? call('PATCH', `${TEMPLATES}/${template.id}`, { name, content })
        : call('POST', TEMPLATES, { name, content }),
    [TEMPLATES],
  )
  const placeholders = placeholdersOf(content)
  return (
    <Form
      error={save.error}
      onSubmit={() =>
        save.mutate(undefined, {
          onSuccess: () => {
            say(template ? 'A new version is saved.' : 'The template is saved.')
            onClose()
          },
        })
      }
    >
      {template && (
        <p className="row soft">
          Version {template.version}, known to the API as <span className="mono">{template.id}</span>
          <CopyButton text={template.id} />
        </p>
      )}
      <TextField name="name" label="Name" hint="For you, to tell templates apart." value={name} onChange={setName} />
      <AreaField
        name="content"
        label="Text"
        rows={6}
        hint="{{name}} is filled for each recipient; {{name|there}} says there where there is no name."
        value={content}
        onChange={setContent}
      />
      <p className="small" role="status">
        <span className="soft">Placeholders: </span>
        {placeholders.length === 0
          ? 'none, everybody gets the same text.'
          : placeholders
              .map((each) => (each.default === undefined ? each.name : `${each.name} (or ${each.default})`))
              .join(', ')}
      </p>
      <FormActions>
        <Button look="main" type="submit" busy={save.isPending}>
          {template ? 'Save as a new version' : 'Save the template'}
        </Button>
        <CloseButton />
      </FormActions>
    </Form>
  )
}
