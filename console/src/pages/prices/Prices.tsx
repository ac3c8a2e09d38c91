import { useState } from 'react'
import type { PriceList } from '../../api-types.ts'
import { call } from '../../api.ts'
import type { PageProps } from '../../page-props.ts'
import { useRead, useWrite } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { isOurs, PRICE_LISTS, STALE } from './prices.ts'
import { PriceListView } from './PriceListView.tsx'

/** `#/prices` lists the price lists, `#/prices/<name>` shows one. */
export default function Prices({ rest: [name] }: PageProps) {
  return name === undefined ? <Lists /> : <PriceListView name={name} />
}

function Lists() {
  const lists = useRead(PRICE_LISTS)
  const [creating, setCreating] = useState(false)
  const [choosing, setChoosing] = useState<PriceList>()
  const [removing, setRemoving] = useState<PriceList>()
  return (
    <Page
      title={t('Prices')}
      lead={t('Price lists: what organisations pay per page. Assign them on the page of the organisations.')}
      actions={
        <Button look="main" icon="plus" onClick={() => setCreating(true)}>
          {t('Create a price list')}
        </Button>
      }
    >
      {lists.error && <Trouble error={lists.error} />}
      {lists.data ? (
        <Section flush>
          <Table
            label={t('Price lists')}
            rows={lists.data.price_lists}
            rowKey={({ name }) => name}
            onRow={({ name }) => go(`/prices/${name}`)}
            columns={[
              { title: t('Name'), cell: ({ name }) => <Link to={`/prices/${name}`}>{name}</Link> },
              {
                title: t('State'),
                narrow: true,
                cell: (list) => (
                  <>
                    {list.is_default && <Badge status={t('default||price list')} tone="good" />}{' '}
                    {!isOurs(list) && <Badge status={t('configuration file')} tone="calm" />}
                  </>
                ),
              },
              { title: t('Rules||of a price list'), number: true, narrow: true, cell: ({ rules }) => number(rules) },
              {
                title: t('Organisations'),
                number: true,
                narrow: true,
                cell: ({ organisations }) => number(organisations),
              },
              {
                title: t('Changed'),
                narrow: true,
                minor: true,
                cell: ({ changed_datetime }) => (changed_datetime === undefined ? '–' : <Time at={changed_datetime} />),
              },
              {
                title: t('Actions'),
                unseen: true,
                narrow: true,
                cell: (list) => (
                  <>
                    {!list.is_default && (
                      <Button look="bare" onClick={() => setChoosing(list)}>
                        {t('Make default')}
                      </Button>
                    )}
                    {isOurs(list) && (
                      <Button look="remove" onClick={() => setRemoving(list)}>
                        {t('Delete')}
                      </Button>
                    )}
                  </>
                ),
              },
            ]}
            empty={null}
          />
        </Section>
      ) : (
        !lists.error && <Loading />
      )}
      {creating && <Create lists={lists.data?.price_lists ?? []} onClose={() => setCreating(false)} />}
      {choosing && <MakeDefault list={choosing} onClose={() => setChoosing(undefined)} />}
      {removing && <Remove list={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

function Create({ lists, onClose }: { lists: readonly PriceList[]; onClose: () => void }) {
  const [name, setName] = useState('')
  const [copy_of, setCopyOf] = useState('')
  const write = useWrite(() => call('POST', PRICE_LISTS, { name, ...(copy_of === '' ? {} : { copy_of }) }), STALE)
  return (
    <FormDialog
      title={t('Create a price list')}
      action={t('Create')}
      write={write}
      onDone={({ price_list }) => go(`/prices/${price_list.name}`)}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        hint={t('Lower-case letters, digits and dashes, such as wholesale.')}
        value={name}
        onChange={setName}
      />
      <SelectField
        name="copy_of"
        label={t('Begin with')}
        value={copy_of}
        onChange={setCopyOf}
        choices={[
          { value: '', label: t('no rules') },
          ...lists.filter(isOurs).map((list) => ({
            value: list.name,
            label: t('the rules of {list}', { list: list.name }),
          })),
        ]}
      />
    </FormDialog>
  )
}

function MakeDefault({ list: { name }, onClose }: { list: PriceList; onClose: () => void }) {
  const say = useSay()
  const write = useWrite(() => call('POST', `${PRICE_LISTS}/${name}/default`), STALE)
  return (
    <FormDialog
      title={t('Make {list} the default?', { list: name })}
      action={t('Make default')}
      write={write}
      onDone={() => say(t('{list} is the default.', { list: name }))}
      onClose={onClose}
    >
      <p>{t('All organisations without a price list of their own pay its prices, within two seconds.')}</p>
    </FormDialog>
  )
}

function Remove({ list: { name }, onClose }: { list: PriceList; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete {list}?', { list: name })}
      action={t('Delete')}
      keep={t('Keep the price list')}
      write={() => call('DELETE', `${PRICE_LISTS}/${name}`)}
      stale={STALE}
      onDone={() => say(t('{list} is deleted.', { list: name }))}
      onClose={onClose}
    >
      <p>{t('Its rules and their history are deleted. A list that is assigned, or the default, cannot be deleted.')}</p>
    </Confirm>
  )
}
