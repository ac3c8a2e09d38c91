import { useState, type ReactNode } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { placeholdersOf, type Placeholder } from '../send/placeholders.ts'
import { TEMPLATES } from './templates.ts'

export function EditTemplate({ id, onClose }: { id: string; onClose: () => void }) {
  const made = id !== 'new'
  const found = useRead(made ? `${TEMPLATES}/${encodeURIComponent(id)}` : null)
  return (
    <Dialog title={made ? t('Template') : t('A new template')} wide onClose={onClose}>
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
            say(template ? t('New version saved.') : t('Template saved.'))
            onClose()
          },
        })
      }
    >
      {template && (
        <p className="row soft">
          <Rich
            text="Version {version}, known to the API as <id>{id}</id>"
            values={{ version: template.version, id: template.id }}
            id={(inner: ReactNode) => <span className="mono">{inner}</span>}
          />
          <CopyButton text={template.id} />
        </p>
      )}
      <TextField
        name="name"
        label={t('Name')}
        hint={t('For you, to tell templates apart.')}
        value={name}
        onChange={setName}
      />
      <AreaField
        name="content"
        label={t('Text')}
        rows={6}
        hint={t('{{name}} is filled in for each recipient; {{name|there}} uses “there” if there is no name.')}
        value={content}
        onChange={setContent}
      />
      <p className="small" role="status">
        {placeholders.length === 0 ? (
          <Rich text="<soft>Placeholders:</soft> none, all recipients get the same text." soft={soft} />
        ) : (
          <Rich
            text="<soft>Placeholders:</soft> {names}"
            values={{ names: placeholders.map(inWords).join(', ') }}
            soft={soft}
          />
        )}
      </p>
      <FormActions>
        <Button look="main" type="submit" busy={save.isPending}>
          {template ? t('Save as a new version') : t('Save the template')}
        </Button>
        <CloseButton />
      </FormActions>
    </Form>
  )
}

const soft = (inner: ReactNode) => <span className="soft">{inner}</span>

function inWords({ name, default: otherwise }: Placeholder): string {
  return otherwise === undefined ? name : t('{name} (or {otherwise})', { name, otherwise })
}
