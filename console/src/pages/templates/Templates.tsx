import { useContext } from 'react'
import { call } from '../../api.ts'
import type { PageProps } from '../../page-props.ts'
import { usePages } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { ReadOnly } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { EditTemplate } from './EditTemplate.tsx'
import { EditWhatsapp } from './EditWhatsapp.tsx'
import { TemplateList } from './TemplateList.tsx'
import { TEMPLATES } from './templates.ts'
import { WhatsappTemplates } from './WhatsappTemplates.tsx'

/**
 * Texts to send again and again. `#/templates/<id>` edits one and `#/templates/new` makes one; those at WhatsApp are
 * under `#/templates/whatsapp`.
 */
export default function Templates({ rest: [open, opened] }: PageProps) {
  const templates = usePages(TEMPLATES, 'templates', { limit: 50 })
  const read_only = useContext(ReadOnly)
  const close = () => go('/templates')
  const is_shown = (id: string | undefined): id is string => id !== undefined && !(read_only && id === 'new')
  return (
    <Page
      title={t('Templates')}
      lead={t('Texts with placeholders. Every change creates a new version; sent messages keep theirs.')}
      actions={
        <Link to="/templates/new" className="button main">
          {t('Create a template')}
        </Link>
      }
    >
      <Section flush>
        <TemplateList
          label={t('Templates')}
          pages={templates}
          page="/templates"
          titleOf={({ name }) => name}
          mayRemove={() => true}
          columns={[
            { title: t('Text'), clip: true, cell: ({ content }) => content },
            { title: t('Version'), number: true, narrow: true, cell: ({ version }) => version },
          ]}
          changedOf={({ created_datetime, updated_datetime }) => updated_datetime ?? created_datetime}
          remove={({ id }) => call('DELETE', `${TEMPLATES}/${id}`)}
          stale={TEMPLATES}
          effect={t(
            'Deletes all its versions. Sent messages keep their text; requests with this template are refused from now on.',
          )}
          empty={
            <Empty title={t('No templates yet.')}>
              <p>{t('Write a text once, with placeholders such as {{name}}, and send it by its name.')}</p>
              <Link to="/templates/new" className="button" changes>
                {t('Create a template')}
              </Link>
            </Empty>
          }
        />
      </Section>
      <WhatsappTemplates />
      {open === 'whatsapp'
        ? is_shown(opened) && <EditWhatsapp key={opened} id={opened} onClose={close} />
        : is_shown(open) && <EditTemplate key={open} id={open} onClose={close} />}
    </Page>
  )
}
