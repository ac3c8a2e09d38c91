import { useState } from 'react'
import { usePages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'

/** The templates of the organisation, to be put into a reply. */
export function CannedReplies({ onChoose, onClose }: { onChoose: (content: string) => void; onClose: () => void }) {
  const [words, setWords] = useState('')
  const pages = usePages('/templates', 'templates', { limit: 200 })
  const wanted = words.trim().toLowerCase()
  const found = pages.rows.filter(({ name, content }) => `${name} ${content}`.toLowerCase().includes(wanted))
  return (
    <Dialog title={t('Canned replies')} onClose={onClose}>
      <SearchField label={t('Search by name or text')} value={words} onChange={setWords} />
      {pages.loading && <Loading />}
      {pages.error && <Trouble error={pages.error} />}
      {!pages.loading && !pages.error && found.length === 0 && (
        <Empty title={wanted === '' ? t('No templates yet.') : t('No template has these words.')}>
          <Link to="/templates">{t('Templates are your canned replies')}</Link>
        </Empty>
      )}
      <ul className="canned">
        {found.map(({ id, name, content }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => {
                onChoose(content)
                onClose()
              }}
            >
              <b>{name}</b>
              <span className="soft small">{content}</span>
            </button>
          </li>
        ))}
      </ul>
      {pages.more && (
        <Button onClick={pages.more} busy={pages.loading_more}>
          {t('Show more')}
        </Button>
      )}
    </Dialog>
  )
}
