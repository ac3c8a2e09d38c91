import { useState } from 'react'
import type { ShownOrganisation } from '../api-types.ts'
import { useRead } from '../read.ts'
import { withQuery } from '../api.ts'
import { useTake } from '../session.ts'
import { t } from '../text/text.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../ui/Empty.tsx'
import { SearchField } from '../ui/fields.tsx'
import { Table, ACTIONS } from '../ui/Table.tsx'

/** For operators, who may have too many organisations for a select field. */
export function ChooseOrganisation({ onNew, onClose }: { onNew: () => void; onClose: () => void }) {
  const take = useTake()
  const [search, setSearch] = useState('')
  const found = useRead(withQuery('/console/api/organisations', { search, limit: 50 }), { keep: true })
  // What was found before says nothing about this search.
  const is_unknown = found.isPlaceholderData && found.data.organisations.length === 0
  function look(organisation: ShownOrganisation, id: string) {
    take(organisation, id)
    onClose()
  }
  return (
    <Dialog title={t('Choose an organisation')} wide onClose={onClose}>
      <div className="row">
        <span className="grow">
          <SearchField label={t('Search by name')} value={search} onChange={setSearch} />
        </span>
        <Button icon="plus" onClick={onNew}>
          {t('Create an organisation')}
        </Button>
      </div>
      {(found.isPending || is_unknown) && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && !is_unknown && (
        <Table
          label={t('Organisations')}
          rows={found.data.organisations}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Name'), cell: ({ name }) => <b>{name}</b> },
            {
              ...ACTIONS,
              cell: (organisation) => (
                <>
                  <Button look="bare" onClick={() => look(organisation, organisation.id)}>
                    {t('Open||an organisation')}
                  </Button>
                  <Button look="bare" onClick={() => look(organisation, organisation.test_id)}>
                    {t('Open its test organisation')}
                  </Button>
                </>
              ),
            },
          ]}
          empty={<Empty title={t('No organisation has this name.')}>{t('Search for part of its name.')}</Empty>}
        />
      )}
    </Dialog>
  )
}
