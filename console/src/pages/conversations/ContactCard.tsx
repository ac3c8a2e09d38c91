import type { Contact } from '../../../../clients/typescript/src/types.ts'
import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Cells } from '../contacts/ContactView.tsx'
import { ROWS } from '../contacts/contacts.ts'

/** What is known of the person, as on the page of the contact. */
export function ContactCard({ phone, contact }: { phone: string; contact: Contact | undefined }) {
  const { right } = useSession()
  const found = useRead(contact ? `${ROWS}/${contact.id}` : null)
  if (!contact) {
    return (
      <div className="stack">
        <h3>
          <Phone number={phone} />
        </h3>
        <p className="soft">{t('This number is not among your contacts.')}</p>
        {right('lists') === 'change' && (
          <p>
            <Link to="/contacts?new=yes">{t('Add a contact')}</Link>
          </p>
        )}
      </div>
    )
  }
  return (
    <div className="stack">
      <h3>
        <Link to={`/contacts/${contact.id}`}>{contact.name}</Link>
      </h3>
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} />}
      {found.data && <Cells key={found.data.row.updated_datetime} {...found.data} />}
    </div>
  )
}
