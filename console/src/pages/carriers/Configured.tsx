import { useState } from 'react'
import type { ConfiguredEntry } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useRead } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { ACTIONS, CHANGED, Table } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CONFIGURATION, pathOf, STALE } from './configuration.ts'
import { EditCarrier } from './edit/EditCarrier.tsx'
import { EditRoute } from './edit/EditRoute.tsx'
import { TestCarrier } from './TestCarrier.tsx'

type Kind = ConfiguredEntry['kind']

/** Carriers and routes as they are configured: those of operators can be changed here. */
export function Configured() {
  const found = useRead(CONFIGURATION)
  const [editing, setEditing] = useState<{ kind: Kind; entry?: ConfiguredEntry }>()
  const [removing, setRemoving] = useState<ConfiguredEntry>()
  const [testing, setTesting] = useState<string>()
  return (
    <Section
      title={t('Configuration')}
      lead={t('Carriers and routes in their order. A change takes effect in every process within two seconds.')}
      actions={
        <>
          <Button icon="plus" onClick={() => setEditing({ kind: 'carrier' })}>
            {t('Create a carrier')}
          </Button>
          <Button icon="plus" onClick={() => setEditing({ kind: 'route' })}>
            {t('Create a route')}
          </Button>
        </>
      }
      flush
    >
      <Pending read={found} />
      {found.data?.needs_restart && (
        <div className="banner" role="status">
          {t(
            'The sandbox begins with these carriers: they and all later changes take effect when the service has been restarted.',
          )}
        </div>
      )}
      {found.data?.ends_sandbox && (
        <div className="banner" role="status">
          {t('The sandbox ends with these carriers: the service restarts itself, which takes a few seconds.')}
        </div>
      )}
      {found.data && (
        <Table
          label={t('Configuration')}
          rows={found.data.entries}
          rowKey={({ kind, name, managed_by }) => `${kind} ${name} ${managed_by}`}
          columns={[
            { title: t('Name'), narrow: true, cell: ({ name }) => <b>{name}</b> },
            {
              title: t('Type'),
              narrow: true,
              cell: ({ kind, settings }) => (kind === 'route' ? t('route') : String(settings.kind)),
            },
            { title: t('Managed by'), cell: (entry) => <Manager entry={entry} /> },
            CHANGED,
            {
              ...ACTIONS,
              cell: (entry) => (
                <>
                  {entry.kind === 'carrier' && isTestable(entry) && (
                    <Button look="bare" onClick={() => setTesting(entry.name)}>
                      {t('Test||a carrier')}
                    </Button>
                  )}
                  {entry.managed_by === 'operator' && (
                    <>
                      <Button look="bare" onClick={() => setEditing({ kind: entry.kind, entry })}>
                        {t('Edit')}
                      </Button>
                      <Button look="bare" onClick={() => setRemoving(entry)}>
                        {t('Delete')}
                      </Button>
                    </>
                  )}
                </>
              ),
            },
          ]}
          empty={<Empty title={t('No carrier is configured.')}>{t('Messages are refused until there is one.')}</Empty>}
        />
      )}
      {editing?.kind === 'carrier' && <EditCarrier entry={editing.entry} onClose={() => setEditing(undefined)} />}
      {editing?.kind === 'route' && (
        <EditRoute
          entry={editing.entry}
          carriers={sendingCarriers(found.data?.entries ?? [])}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && <RemoveEntry entry={removing} onClose={() => setRemoving(undefined)} />}
      {testing !== undefined && <TestCarrier name={testing} onClose={() => setTesting(undefined)} />}
    </Section>
  )
}

/** The carriers that a route may name: those of probes only receive. */
function sendingCarriers(entries: readonly ConfiguredEntry[]): string[] {
  const carriers = entries.filter(({ kind, settings }) => kind === 'carrier' && settings.probe !== true)
  return [...new Set(carriers.map(({ name }) => name))]
}

/** Carriers that need nothing but a number and a text. */
function isTestable({ settings, is_shadowed }: ConfiguredEntry): boolean {
  return !is_shadowed && (settings.kind === 'smpp' || settings.kind === 'http')
}

function Manager({ entry: { managed_by, changed_by, is_shadowed } }: { entry: ConfiguredEntry }) {
  if (managed_by === 'file') return <Badge status={t('configuration file')} tone="calm" />
  if (managed_by === 'default') return <span className="soft">{t('there without a configuration')}</span>
  return (
    <>
      {changed_by}{' '}
      {is_shadowed && (
        <span className="soft small">{t('The configuration file has one of this name, which applies instead.')}</span>
      )}
    </>
  )
}

function RemoveEntry({ entry: { kind, name, version }, onClose }: { entry: ConfiguredEntry; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete {name}?', { name })}
      action={t('Delete')}
      keep={t('Keep it')}
      write={() => call('DELETE', `${pathOf(kind, name)}?version=${version}`)}
      stale={STALE}
      onDone={() => say(t('{name} is deleted.', { name }))}
      onClose={onClose}
    >
      <p>
        {kind === 'carrier'
          ? t('Its connections are closed once what is in flight has its answer.')
          : t('Messages for these numbers take the next closest route; without one, they are refused.')}
      </p>
    </Confirm>
  )
}
