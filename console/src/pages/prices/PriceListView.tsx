import { useState } from 'react'
import type { PriceList, PriceRule } from '../../api-types.ts'
import { call, download, withQuery } from '../../api.ts'
import { usePages, useRead, useWrite } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { BelowCost } from './BelowCost.tsx'
import { Changes } from './Changes.tsx'
import { Fees } from './Fees.tsx'
import { ImportPrices } from './ImportPrices.tsx'
import { isOurs, PRICE_LISTS, STALE, targetName, WORDS, type ListKind } from './prices.ts'
import { RuleHistory } from './RuleHistory.tsx'
import { SetPrice } from './SetPrice.tsx'

/** The rules of a price list or a cost list, its rate sheets and its changes. */
export function PriceListView({ kind, name }: { kind: ListKind; name: string }) {
  const lists = useRead(withQuery(PRICE_LISTS, { kind }))
  const list = lists.data?.price_lists.find((one) => one.name === name)
  if (!lists.data) return <Pending read={lists} />
  if (!list) {
    return (
      <Page title={name}>
        <Empty title={WORDS[kind].unknown}>
          <Link to={WORDS[kind].path}>{WORDS[kind].all}</Link>
        </Empty>
      </Page>
    )
  }
  return <Rules list={list} currency={lists.data.currency} />
}

type Doing = 'set' | 'import' | 'undo' | undefined

function Rules({ list, currency }: { list: PriceList; currency: string }) {
  const { query } = useRoute()
  const say = useSay()
  const [doing, setDoing] = useState<Doing>()
  const [changing, setChanging] = useState<PriceRule>()
  const [looking, setLooking] = useState<PriceRule>()
  const { name, kind } = list
  const words = WORDS[kind]
  const search = query.q ?? ''
  const path = `${PRICE_LISTS}/${name}/rules` as const
  const found = usePages(path, 'rules', { limit: 50, ...(search === '' ? {} : { search }) })
  const ours = isOurs(list)
  const close = () => setDoing(undefined)
  function save() {
    void download(`${PRICE_LISTS}/${name}/rules.csv`, `${name}.csv`).catch((fault: unknown) =>
      say(fault instanceof Error ? fault.message : t('The file could not be downloaded.')),
    )
  }
  return (
    <Page
      title={name}
      lead={
        ours ? words.list_lead : t('The prices of the configuration file: change them there, then reload the service.')
      }
      actions={
        <>
          <Button onClick={save}>{t('Download CSV')}</Button>
          {ours && <Button onClick={() => setDoing('import')}>{t('Import a rate sheet')}</Button>}
          {ours && (
            <Button look="main" icon="plus" onClick={() => setDoing('set')}>
              {words.set}
            </Button>
          )}
        </>
      }
    >
      <p>
        <Link to={words.path}>{words.all}</Link>
      </p>
      {kind === 'price' && <BelowCost list={list} />}
      <Section
        flush
        title={t('Rules||of a price list')}
        actions={<SearchField label={t('Search rules')} value={search} onChange={(q) => changeQuery({ q })} />}
      >
        <PagedTable
          label={t('Rules||of a price list')}
          pages={found}
          rowKey={({ target, valid_from }) => `${target} ${valid_from}`}
          columns={[
            { title: t('Applies to'), cell: targetName },
            { title: t('Network code'), narrow: true, minor: true, cell: ({ mcc_mnc }) => mcc_mnc ?? '–' },
            {
              title: words.amount,
              number: true,
              narrow: true,
              cell: ({ price }) => (price === undefined ? t('none||price') : money(price, currency)),
            },
            {
              title: t('From||a moment'),
              narrow: true,
              cell: ({ valid_from, scheduled }) => (
                <>
                  {scheduled && <Badge status="scheduled" />}{' '}
                  {valid_from === undefined ? '–' : <Time at={valid_from} />}
                </>
              ),
            },
            {
              ...ACTIONS,
              cell: (rule) =>
                ours && (
                  <>
                    <Button look="bare" onClick={() => setChanging(rule)}>
                      {t('Change')}
                    </Button>
                    <Button look="bare" onClick={() => setLooking(rule)}>
                      {t('History')}
                    </Button>
                  </>
                ),
            },
          ]}
          empty={
            search === '' ? (
              <Empty title={t('This list has no rules.')}>{words.no_rules}</Empty>
            ) : (
              <Empty title={t('No rule matches.')}>
                {t('Enter the first digits, a country code such as NG, or part of an operator’s name.')}
              </Empty>
            )
          }
        />
      </Section>
      {ours && kind === 'price' && <Fees list={list} currency={currency} />}
      {ours && <Changes list={list} onUndo={() => setDoing('undo')} />}
      {doing === 'set' && <SetPrice list={list} onClose={close} />}
      {changing && <SetPrice list={list} rule={changing} onClose={() => setChanging(undefined)} />}
      {looking && <RuleHistory list={list} rule={looking} currency={currency} onClose={() => setLooking(undefined)} />}
      {doing === 'import' && <ImportPrices list={list} currency={currency} onClose={close} />}
      {doing === 'undo' && <Undo list={list} onClose={close} />}
    </Page>
  )
}

function Undo({ list: { name, version }, onClose }: { list: PriceList; onClose: () => void }) {
  const say = useSay()
  const write = useWrite(() => call('POST', `${PRICE_LISTS}/${name}/undo`, { version }), STALE)
  return (
    <FormDialog
      title={t('Undo the last import?')}
      action={t('Undo the import')}
      write={write}
      onDone={() => say(t('The import is undone.'))}
      onClose={onClose}
    >
      <p>{t('Its rules end, and those that it replaced are back. Changes made since stay.')}</p>
    </FormDialog>
  )
}
