import { useState } from 'react'
import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { WHATSAPP } from './whatsapp.ts'

/** Meta reviews templates within minutes; its webhook is stored immediately. */
const EVERY_MS = 5_000

/** The templates at Meta, with their review. Nothing where no WhatsApp number is connected and there are none. */
export function WhatsappTemplates() {
  const found = useRead(WHATSAPP, { every_ms: EVERY_MS, keep: true })
  const [removing, setRemoving] = useState<MetaTemplate>()
  const templates = found.data?.templates ?? []
  return (
    <Section
      title={t('At WhatsApp')}
      lead={t('Meta approves these before they are sent, to people who have not written in the last 24 hours.')}
      actions={
        <Link to="/templates/whatsapp/new" className="button">
          {t('Create a WhatsApp template')}
        </Link>
      }
      flush
    >
      <Table
        label={t('WhatsApp templates')}
        rows={templates}
        rowKey={({ id }) => id}
        onRow={({ id }) => go(`/templates/whatsapp/${id}`)}
        columns={[
          {
            title: t('Name'),
            narrow: true,
            cell: ({ id, name, language }) => (
              <Link to={`/templates/whatsapp/${id}`}>
                {name} ({language})
              </Link>
            ),
          },
          { title: t('Category'), narrow: true, cell: ({ category }) => category },
          { title: t('State'), narrow: true, cell: ({ status }) => <Badge status={status} /> },
          { title: t('Quality'), narrow: true, minor: true, cell: ({ quality }) => quality ?? '–' },
          { title: t('Reason'), clip: true, cell: ({ reason }) => reason ?? <span className="soft">–</span> },
          {
            title: t('Changed'),
            narrow: true,
            minor: true,
            cell: ({ updated_datetime }) => <Time at={updated_datetime} />,
          },
          {
            title: t('Actions'),
            unseen: true,
            narrow: true,
            cell: (template) =>
              template.is_own && (
                <Button look="remove" onClick={() => setRemoving(template)}>
                  {t('Delete')}
                </Button>
              ),
          },
        ]}
        empty={<p className="soft">{t('No WhatsApp templates yet.')}</p>}
      />
      {removing && <Remove template={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

function Remove({ template: { id, name }, onClose }: { template: MetaTemplate; onClose: () => void }) {
  const say = useSay()
  const remove = useWrite(() => call('DELETE', `${WHATSAPP}/${id}`), [WHATSAPP])
  return (
    <Confirm
      title={t('Delete “{name}”?', { name })}
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
      <p>{t('Deletes it at Meta, in this language. Its name cannot be used again for 30 days.')}</p>
    </Confirm>
  )
}
