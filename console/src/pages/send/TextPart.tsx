import type { ReactNode } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import { Link } from '../../router.tsx'
import { Rich, t } from '../../text/text.ts'
import { Segments, SelectField } from '../../ui/fields.tsx'
import type { Draft } from './draft.ts'
import { MessageText } from './MessageText.tsx'

type Props = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  templates: readonly Template[]
  template: Template | undefined
}

/** What is said: typed here, or a template. */
export function TextPart({ draft, change, templates, template }: Props) {
  return (
    <div className="stack">
      <Segments
        label={t('What to send')}
        value={draft.source}
        onChange={(source) => change({ source })}
        choices={[
          { value: 'text', label: t('A text') },
          { value: 'template', label: t('A template') },
        ]}
      />
      {draft.source === 'template' ? (
        <SelectField
          name="template_id"
          label={t('Template')}
          value={draft.template_id}
          onChange={(template_id) => change({ template_id })}
          hint={
            templates.length === 0 ? (
              <Rich
                text="There is none yet. Create one under <link>Templates</link>."
                link={(inner: ReactNode) => <Link to="/templates">{inner}</Link>}
              />
            ) : (
              template?.content
            )
          }
          choices={[
            { value: '', label: t('Choose one') },
            ...templates.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : (
        <MessageText
          name="content"
          label={t('Text')}
          channel={draft.channel}
          content={draft.content}
          is_trackable={draft.is_trackable}
          change={(content) => change({ content })}
        />
      )}
    </div>
  )
}
