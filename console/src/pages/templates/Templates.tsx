import { useContext, useState } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import type { PageProps } from '../../page-props.ts'
import { usePages, useWrite } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button, ReadOnly } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { EditTemplate } from './EditTemplate.tsx'
import { EditWhatsapp } from './EditWhatsapp.tsx'
import { TEMPLATES } from './templates.ts'
import { WhatsappTemplates } from './WhatsappTemplates.tsx'

/** Texts to send again and again; `#/templates/<id>` edits one, `#/templates/new` makes one. */
export default function Templates({ rest: [open, opened] }: PageProps) {
  const templates = usePages(TEMPLATES, 'templates', { limit: 50 })
  const [removing, setRemoving] = useState<Template>()
  const read_only = useContext(ReadOnly)
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
        <PagedTable
          label={t('Templates')}
          pages={templates}
          rowKey={({ id }) => id}
          onRow={({ id }) => go(`/templates/${id}`)}
          columns={[
            { title: t('Name'), narrow: true, cell: ({ id, name }) => <Link to={`/templates/${id}`}>{name}</Link> },
            { title: t('Text'), clip: true, cell: ({ content }) => content },
            { title: t('Version'), number: true, narrow: true, cell: ({ version }) => version },
            {
              title: t('Changed'),
              narrow: true,
              cell: ({ created_datetime, updated_datetime }) => <Time at={updated_datetime ?? created_datetime} />,
            },
            {
              title: t('Actions'),
              unseen: true,
              narrow: true,
              cell: (template) => (
                <Button look="remove" onClick={() => setRemoving(template)}>
                  {t('Delete')}
                </Button>
              ),
            },
          ]}
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
      {open === 'whatsapp' && opened !== undefined && !(read_only && opened === 'new') && (
        <EditWhatsapp key={opened} id={opened} onClose={() => go('/templates')} />
      )}
      {open !== undefined && open !== 'whatsapp' && !(read_only && open === 'new') && (
        <EditTemplate key={open} id={open} onClose={() => go('/templates')} />
      )}
      {removing && <RemoveTemplate template={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

function RemoveTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const say = useSay()
  const remove = useWrite(() => call('DELETE', `${TEMPLATES}/${template.id}`), [TEMPLATES])
  return (
    <Confirm
      title={t('Delete “{name}”?', { name: template.name })}
      action={t('Delete the template')}
      keep={t('Keep the template')}
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => say(t('Template deleted.')),
          onError: (fault) => say(fault.message, 'bad'),
          onSettled: onClose,
        })
      }
    >
      <p>
        {t(
          'Deletes all its versions. Sent messages keep their text; requests with this template are refused from now on.',
        )}
      </p>
    </Confirm>
  )
}
