import { useState } from 'react'
import { useSession } from '../../session.ts'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { AddPhone } from './AddPhone.tsx'
import { Handset } from './Handset.tsx'
import { fits, useHandsets } from './handsets.ts'
import './phones.css'

/** Handsets shown; the one with the latest message is always included. */
const AT_ONCE = 24

/** The virtual phones of the sandbox: messages arrive live and can be answered. */
export default function Phones() {
  const { sandbox } = useSession()
  return sandbox ? <Shelf /> : <RealPhones />
}

function Shelf() {
  const { handsets, arrived, error, loading, add, put } = useHandsets()
  const [adding, setAdding] = useState(false)
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(AT_ONCE)
  const found = handsets.filter((handset) => fits(handset, search))
  return (
    <Page
      title={t('Phones')}
      wide
      lead={t(
        'Virtual handsets, one for every number you have sent to. Messages arrive as on a real phone; links open, codes are copied with one click, and STOP opts out.',
      )}
      actions={
        <Button icon="plus" changes onClick={() => setAdding(true)}>
          {t('Add a phone')}
        </Button>
      }
    >
      <p className="unseen" role="status">
        {arrived}
      </p>
      {loading && <Loading />}
      {error && <Trouble error={error} />}
      {!loading && !error && handsets.length === 0 && (
        <Empty title={t('There are no phones yet.')}>
          <p>{t('Send a message to any number, and its phone appears here. Or add one first and write to it.')}</p>
          <Button changes onClick={() => setAdding(true)}>
            {t('Add a phone')}
          </Button>
        </Empty>
      )}
      {handsets.length > 1 && (
        <div className="row">
          <SearchField
            label={t('Search by number, sender or text')}
            value={search}
            onChange={(text) => {
              setSearch(text)
              setMost(AT_ONCE)
            }}
          />
          <span className="soft small" role="status">
            {search.trim() === ''
              ? plural(handsets.length, '{n} phone', '{n} phones')
              : t('{found} of {all} phones', { found: number(found.length), all: number(handsets.length) })}
          </span>
        </div>
      )}
      {handsets.length > 0 && found.length === 0 && (
        <Empty title={t('No phone matches.')}>{t('Enter part of its number, or of a message it received.')}</Empty>
      )}
      <div className="shelf">
        {found.slice(0, most).map((handset) => (
          <Handset key={handset.number} handset={handset} onReply={put} />
        ))}
      </div>
      {found.length > most && (
        <p className="row">
          <Button onClick={() => setMost(most + AT_ONCE)}>{t('Show more phones')}</Button>
        </p>
      )}
      {adding && (
        <AddPhone
          onClose={() => setAdding(false)}
          onAdd={(added) => {
            add(added)
            setAdding(false)
          }}
        />
      )}
    </Page>
  )
}

function RealPhones() {
  const { session, organisation, choose } = useSession()
  const twin = session.organisations.find(({ id }) => id === organisation.id)?.test_id
  return (
    <Page title={t('Phones')} lead={t('Virtual handsets belong to the sandbox and to test keys.')}>
      <Empty title={t('Messages go to real phones.')}>
        <p>
          {t('The test organisation of {name} has virtual ones, a balance of its own, and its own keys.', {
            name: organisation.name,
          })}
        </p>
        {twin !== undefined && <Button onClick={() => choose(twin)}>{t('Go to the test organisation')}</Button>}
      </Empty>
    </Page>
  )
}
