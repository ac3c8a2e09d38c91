import { call } from '../../api.ts'
import { useRead, wholeList } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { TemplateList } from './TemplateList.tsx'
import { CATEGORIES, labelOf, QUALITIES, REASONS, WHATSAPP } from './whatsapp.ts'

/** Meta reviews templates within minutes; its webhook is stored immediately. */
const EVERY_MS = 5_000

/** The templates at Meta, with their review. */
export function WhatsappTemplates() {
  const found = useRead(WHATSAPP, { every_ms: EVERY_MS })
  const is_live = useSession().organisation.mode === 'live'
  return (
    <Section
      title={t('WhatsApp templates')}
      lead={t('Meta must approve these. They reach people who have not written in the last 24 hours, too.')}
      actions={
        is_live && (
          <Link to="/templates/whatsapp/new" className="button" changes>
            {t('Create a WhatsApp template')}
          </Link>
        )
      }
      flush
    >
      <TemplateList
        label={t('WhatsApp templates')}
        pages={wholeList(found.data?.templates, found)}
        page="/templates/whatsapp"
        titleOf={({ name, language }) => `${name} (${language})`}
        columns={[
          { title: t('Category'), narrow: true, cell: ({ category }) => labelOf(CATEGORIES, category) },
          { title: t('State'), narrow: true, cell: ({ status }) => <Badge status={status} /> },
          {
            title: t('Quality'),
            narrow: true,
            minor: true,
            cell: ({ quality = 'unknown' }) => QUALITIES[quality] ?? quality,
          },
          { title: t('Reason'), cell: ({ reason = '' }) => REASONS[reason] ?? (reason || '–') },
        ]}
        changedOf={({ updated_datetime }) => updated_datetime}
        mayRemove={({ is_own }) => is_own && is_live}
        remove={({ id }) => call('DELETE', `${WHATSAPP}/${id}`)}
        stale={WHATSAPP}
        effect={t('Deletes it at Meta, in this language. Its name cannot be used again for 30 days.')}
        empty={
          <Empty title={t('No WhatsApp templates yet.')}>
            {is_live
              ? t('Those made in WhatsApp Manager are listed here, too, once they are synchronised.')
              : t('Templates are created and deleted in live mode only: Meta has no test mode.')}
          </Empty>
        }
      />
    </Section>
  )
}
