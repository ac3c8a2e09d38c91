import { useState, type ReactNode } from 'react'
import type { ConfiguredEntry } from '../../../api-types.ts'
import { call } from '../../../api.ts'
import type { KeptDraft } from '../../../draft.ts'
import { useWrite } from '../../../read.ts'
import { t } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { AreaField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { useSay } from '../../../ui/Toast.tsx'
import { CONFIGURATION, pathOf, PLACEHOLDER, STALE } from '../configuration.ts'
import { isSettings, type Settings } from './settings.ts'

type Props = {
  kind: ConfiguredEntry['kind']
  entry: ConfiguredEntry | undefined
  /** What the form stands for. */
  settings: Settings
  draft: KeptDraft
  /** The form is filled in with settings that were written as JSON. */
  onSettings: (settings: Settings) => void
  onClose: () => void
  /** The fields of the form. */
  children: ReactNode
}

/** Creates or changes a carrier or route: in a form, or as JSON. JSON is no draft: a secret must not stay in the browser. */
export function EntryDialog({ kind, entry, settings, draft, onSettings, onClose, children }: Props) {
  const say = useSay()
  const [json, setJson] = useState<string>()
  const [initial] = useState(() => JSON.stringify(settings))
  const written = json === undefined ? settings : readSettings(json)
  const write = useWrite(() => {
    const body = written ?? {}
    if (entry) return call('PATCH', pathOf(kind, entry.name), { version: entry.version, settings: body })
    return call('POST', `${CONFIGURATION}/${kind}s`, { settings: body })
  }, STALE)
  function toForm() {
    if (!written) return
    onSettings(written)
    setJson(undefined)
  }
  const creating = kind === 'carrier' ? t('Create a carrier') : t('Create a route')
  return (
    <FormDialog
      title={entry ? t('Change {name}', { name: entry.name }) : creating}
      action={entry ? t('Save') : t('Create')}
      write={write}
      wide
      draft={draft}
      changed={JSON.stringify(written) !== initial}
      onDone={({ entry: { name }, ends_sandbox, needs_restart }) => {
        if (ends_sandbox) say(t('{name} is saved. The sandbox ends with it: the service restarts now.', { name }))
        else if (needs_restart) say(t('{name} is saved. The sandbox begins with it: restart the service.', { name }))
        else say(t('{name} is saved.', { name }))
      }}
      onClose={onClose}
      blocked={written ? undefined : t('This is not JSON.')}
    >
      {json === undefined ? (
        <>
          {children}
          <Button look="bare" className="edit-as" onClick={() => setJson(JSON.stringify(settings, null, 2))}>
            {t('Edit as JSON')}
          </Button>
        </>
      ) : (
        <>
          <AreaField
            name="settings"
            label={t('Settings')}
            hint={t(
              'The fields of the configuration file, as JSON. A placeholder such as {placeholder} keeps the stored secret.',
              { placeholder: PLACEHOLDER },
            )}
            rows={16}
            spellCheck={false}
            value={json}
            onChange={setJson}
          />
          <Button look="bare" className="edit-as" onClick={toForm}>
            {t('Edit in the form')}
          </Button>
        </>
      )}
    </FormDialog>
  )
}

function readSettings(text: string): Settings | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isSettings(value) ? value : undefined
  } catch {
    return undefined
  }
}
