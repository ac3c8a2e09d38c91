import type { ReactNode } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useRead, useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { placeholdersOf, type Placeholder } from '../send/placeholders.ts'
import { TEMPLATES } from './templates.ts'

export function EditTemplate({ id, onClose }: { id: string; onClose: () => void }) {
  const made = id !== 'new'
  const found = useRead(made ? `${TEMPLATES}/${encodeURIComponent(id)}` : null)
  if (!made || found.data) return <Editor key={id} template={found.data} onClose={onClose} />
  return (
    <Dialog title={t('Template')} wide onClose={onClose}>
      {found.error ? <Trouble error={found.error} /> : <Loading />}
    </Dialog>
  )
}

function Editor({ template, onClose }: { template: Template | undefined; onClose: () => void }) {
  const say = useSay()
  const draft = useDraft(`template.${template?.id ?? 'new'}`, {
    name: template?.name ?? '',
    content: template?.content ?? '',
  })
  const [{ name, content }, change] = draft
  const save = useWrite(
    () =>
      template
        ? call('PATCH', `${TEMPLATES}/${template.id}`, { name, content })
        : call('POST', TEMPLATES, { name, content }),
    [TEMPLATES],
  )
  const placeholders = placeholdersOf(content)
  return (
    <FormDialog
      title={template ? t('Template') : t('A new template')}
      action={template ? t('Save as a new version') : t('Save the template')}
      wide
      write={save}
      draft={draft}
      onDone={() => say(template ? t('New version saved.') : t('Template saved.'))}
      onClose={onClose}
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
        onChange={(next) => change({ name: next })}
      />
      <AreaField
        name="content"
        label={t('Text')}
        rows={6}
        hint={t('{{name}} is filled in for each recipient; {{name|there}} uses “there” if there is no name.')}
        value={content}
        onChange={(next) => change({ content: next })}
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
    </FormDialog>
  )
}

const soft = (inner: ReactNode) => <span className="soft">{inner}</span>

function inWords({ name, default: otherwise }: Placeholder): string {
  return otherwise === undefined ? name : t('{name} (or {otherwise})', { name, otherwise })
}
