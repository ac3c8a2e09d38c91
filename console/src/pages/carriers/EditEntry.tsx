import { useState } from 'react'
import type { ConfiguredEntry } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { AreaField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CONFIGURATION, EXAMPLES, pathOf, PLACEHOLDER, STALE } from './configuration.ts'

type Props = { kind: ConfiguredEntry['kind']; entry?: ConfiguredEntry; onClose: () => void }

/** The settings of a carrier or route as JSON. They are no draft: a secret must not stay in the browser. */
export function EditEntry({ kind, entry, onClose }: Props) {
  const say = useSay()
  const { sandbox } = useSession()
  const [text, setText] = useState(() => JSON.stringify(entry?.settings ?? EXAMPLES[kind], null, 2))
  const settings = readSettings(text)
  const write = useWrite(() => {
    if (entry) return call('PATCH', pathOf(kind, entry.name), { version: entry.version, settings })
    return call('POST', `${CONFIGURATION}/${kind}s`, { settings })
  }, STALE)
  const creating = kind === 'carrier' ? t('Create a carrier') : t('Create a route')
  return (
    <FormDialog
      title={entry ? t('Change {name}', { name: entry.name }) : creating}
      action={entry ? t('Save') : t('Create')}
      write={write}
      wide
      onDone={({ entry: { name }, needs_restart }) =>
        say(
          needs_restart
            ? t('{name} is saved. The sandbox begins or ends with it: restart the service.', { name })
            : t('{name} is saved.', { name }),
        )
      }
      onClose={onClose}
      blocked={settings ? undefined : t('This is not JSON.')}
    >
      {kind === 'carrier' && sandbox && (
        <p>{t('The first real carrier ends the sandbox and takes effect when the service has been restarted.')}</p>
      )}
      <AreaField
        name="json"
        label={t('Settings')}
        hint={t(
          'The fields of the configuration file, as JSON. A placeholder such as {placeholder} keeps the stored secret.',
          { placeholder: PLACEHOLDER },
        )}
        rows={16}
        spellCheck={false}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}

function readSettings(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
