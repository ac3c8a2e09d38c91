import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { browserName } from './browser-name.ts'

const PATH = '/console/api/me/sessions'

export function Sessions() {
  const say = useSay()
  const found = useRead(PATH)
  const end = useWrite((id: string | undefined) => call('DELETE', id === undefined ? PATH : `${PATH}/${id}`), [PATH])
  const finish = (id: string | undefined) =>
    end.mutate(id, {
      onSuccess: () => say(id === undefined ? t('All other sessions have been ended.') : t('The session is ended.')),
      onError: (fault) => say(fault.message, 'bad'),
    })
  const sessions = found.data?.sessions ?? []
  return (
    <Section
      title={t('Where you are logged in')}
      flush
      actions={sessions.length > 1 && <Button onClick={() => finish(undefined)}>{t('End all others')}</Button>}
    >
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Sessions')}
          rows={sessions}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Browser'), clip: true, cell: ({ user_agent }) => browserName(user_agent) },
            { title: t('From||an address'), narrow: true, cell: ({ address }) => address ?? '–' },
            { title: t('Since'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: t('Last seen'), narrow: true, cell: ({ seen_datetime }) => <Time at={seen_datetime} /> },
            {
              ...ACTIONS,
              cell: ({ id, current }) =>
                current ? (
                  <span className="soft">{t('this one||session')}</span>
                ) : (
                  <Button look="bare" onClick={() => finish(id)}>
                    {t('End||a session')}
                  </Button>
                ),
            },
          ]}
          empty={<Empty title={t('No session is open.')} />}
        />
      )}
    </Section>
  )
}
