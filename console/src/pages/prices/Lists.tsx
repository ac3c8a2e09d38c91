import { useState, type ReactNode } from 'react'
import type { PriceList } from '../../api-types.ts'
import { call, withQuery } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { ACTIONS, CHANGED, Table, type Column } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { BELOW_COST } from './BelowCost.tsx'
import { isOurs, PRICE_LISTS, STALE, WORDS, type ListKind } from './prices.ts'

/** The price lists or the cost lists, with what stands below them. */
export function Lists({ kind, children }: { kind: ListKind; children?: ReactNode }) {
  const lists = useRead(withQuery(PRICE_LISTS, { kind }))
  const words = WORDS[kind]
  const [creating, setCreating] = useState(false)
  const [choosing, setChoosing] = useState<PriceList>()
  const [removing, setRemoving] = useState<PriceList>()
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="main" icon="plus" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      }
    >
      <Pending read={lists} />
      {lists.data && (
        <Section flush>
          <Table
            label={words.lists}
            rows={lists.data.price_lists}
            rowKey={({ name }) => name}
            onRow={({ name }) => go(`${words.path}/${name}`)}
            columns={[
              { title: t('Name'), cell: ({ name }) => <Link to={`${words.path}/${name}`}>{name}</Link> },
              ...OF_KIND[kind],
              { title: t('Rules||of a price list'), number: true, narrow: true, cell: ({ rules }) => number(rules) },
              CHANGED,
              {
                ...ACTIONS,
                cell: (list) => (
                  <>
                    {kind === 'price' && !list.is_default && (
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
            empty={
              <Empty title={t('No cost lists yet.')}>{t('Create one, then import the rate sheet of a carrier.')}</Empty>
            }
          />
        </Section>
      )}
      {children}
      {creating && <Create kind={kind} lists={lists.data?.price_lists ?? []} onClose={() => setCreating(false)} />}
      {choosing && <MakeDefault list={choosing} onClose={() => setChoosing(undefined)} />}
      {removing && <Remove list={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

const OF_KIND: Record<ListKind, readonly Column<PriceList>[]> = {
  price: [
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
    {
      title: t('Below cost'),
      narrow: true,
      minor: true,
      cell: ({ below_cost }) => <Badge status={BELOW_COST[below_cost].label} tone={BELOW_COST[below_cost].tone} />,
    },
    { title: t('Organisations'), number: true, narrow: true, cell: ({ organisations }) => number(organisations) },
  ],
  cost: [{ title: t('Carriers'), cell: ({ carriers = [] }) => (carriers.length === 0 ? '–' : carriers.join(', ')) }],
}

function Create({ kind, lists, onClose }: { kind: ListKind; lists: readonly PriceList[]; onClose: () => void }) {
  const words = WORDS[kind]
  const [name, setName] = useState('')
  const [copy_of, setCopyOf] = useState('')
  const write = useWrite(() => call('POST', PRICE_LISTS, { name, kind, ...(copy_of === '' ? {} : { copy_of }) }), STALE)
  return (
    <FormDialog
      title={words.create}
      action={t('Create')}
      write={write}
      onDone={({ price_list }) => go(`${words.path}/${price_list.name}`)}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        hint={t('Lower-case letters, digits and dashes, such as {example}.', { example: words.example })}
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
      keep={t('Keep the list')}
      write={() => call('DELETE', `${PRICE_LISTS}/${name}`)}
      stale={STALE}
      onDone={() => say(t('{list} is deleted.', { list: name }))}
      onClose={onClose}
    >
      <p>{t('Its rules and their history are deleted. A list that is assigned, or the default, cannot be deleted.')}</p>
    </Confirm>
  )
}
