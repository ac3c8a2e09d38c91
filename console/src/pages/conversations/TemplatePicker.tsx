import { useState } from 'react'
import type { Conversation, MetaTemplate, Template } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useOnce, usePages, useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { SearchField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ROWS } from '../contacts/contacts.ts'
import { useEstimate } from '../send/estimate.ts'
import { previewOf } from '../templates/preview-of.ts'
import { WHATSAPP } from '../templates/whatsapp.ts'
import { WhatsappPreview } from '../templates/WhatsappPreview.tsx'
import { keyOf } from './canned.ts'

/** The templates that WhatsApp accepts at any time: choose one, fill it in, see it, send it. */
export function TemplatePicker({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<Template>()
  const pages = usePages('/templates', 'templates', { limit: 200 })
  const { sandbox } = useSession()
  const at_meta = useRead(WHATSAPP).data?.templates
  const wanted = words.trim().toLowerCase()
  // The simulator has no templates of its own: there, all of ours can be tried.
  const usable = pages.rows.filter(({ whatsapp }) => whatsapp !== undefined || (sandbox && at_meta?.length === 0))
  const found = usable.filter(({ name, content }) => `${name} ${content}`.toLowerCase().includes(wanted))
  return (
    <Dialog title={chosen?.name ?? t('Send a template')} wide onClose={onClose}>
      {chosen ? (
        <Fill
          key={chosen.id}
          template={chosen}
          at_meta={at_meta ?? []}
          conversation={conversation}
          onBack={() => setChosen(undefined)}
          onClose={onClose}
        />
      ) : (
        <>
          <SearchField label={t('Search by name or text')} value={words} onChange={setWords} />
          {pages.loading && <Loading />}
          {pages.error && <Trouble error={pages.error} />}
          {!pages.loading && !pages.error && found.length === 0 && (
            <Empty title={wanted === '' ? t('No templates for WhatsApp yet.') : t('No template has these words.')}>
              <Link to="/templates">{t('Go to the templates')}</Link>
            </Empty>
          )}
          <ul className="canned">
            {found.map((template) => (
              <li key={template.id}>
                <button type="button" onClick={() => setChosen(template)}>
                  <b>{template.name}</b>
                  <span className="soft small">{template.content}</span>
                </button>
              </li>
            ))}
          </ul>
          {pages.more && (
            <Button onClick={pages.more} busy={pages.loading_more}>
              {t('Show more')}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}

function Fill({
  template,
  at_meta,
  conversation: { phone, contact },
  onBack,
  onClose,
}: {
  template: Template
  at_meta: readonly MetaTemplate[]
  conversation: Conversation
  onBack: () => void
  onClose: () => void
}) {
  const say = useSay()
  const { organisation, right } = useSession()
  const row = useRead(contact && right('lists') !== 'none' ? `${ROWS}/${contact.id}` : null)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const columns = row.data?.table.columns ?? []
  const known = new Map(columns.map(({ id, name }) => [keyOf(name), row.data?.row.columns[id] ?? '']))
  const valueOf = (name: string) => typed[name] ?? known.get(keyOf(name)) ?? ''
  const { id, placeholders } = template
  const filled = placeholders.map(({ name }) => [name, valueOf(name)] as const).filter(([, value]) => value !== '')
  const substitutions = Object.fromEntries(filled)
  const missing = placeholders.filter((one) => one.default === undefined && valueOf(one.name).trim() === '')
  const complete = missing.length === 0
  const personalisation = [{ to: phone, substitutions }]
  const asked = { recipients: phone, channel: 'whatsapp', template_id: id, personalisation }
  const { estimate, error } = useEstimate(asked, complete)
  const send = useOnce(
    t('Send a template'),
    (_: void, once) => call('POST', `/conversations/${phone}/messages`, { template_id: id, substitutions }, once),
    ['/conversations', '/balance'],
  )
  function submit() {
    if (!complete || send.isPending) return
    send.mutate(undefined, {
      onSuccess: () => {
        say(t('Template sent.'))
        onClose()
      },
    })
  }
  return (
    <div className="template-picker">
      <Form error={send.error} label={template.name} onSubmit={submit}>
        {placeholders.map(({ name, default: otherwise }) => (
          <TextField
            key={name}
            name={`substitutions.${name}`}
            label={name}
            value={valueOf(name)}
            placeholder={otherwise ?? ''}
            onChange={(value) => setTyped({ ...typed, [name]: value })}
          />
        ))}
        <p className="soft small" role="status">
          {error
            ? (error.faults[0]?.message ?? error.message)
            : estimate && money(estimate.charge, organisation.currency)}
        </p>
        <FormActions>
          <Button
            look="main"
            type="submit"
            busy={send.isPending}
            blocked={
              complete ? undefined : t('Fill in {names} first.', { names: missing.map(({ name }) => name).join(', ') })
            }
          >
            {t('Send')}
          </Button>
          <Button onClick={onBack}>{t('Choose another')}</Button>
        </FormActions>
      </Form>
      <WhatsappPreview {...previewOf(template, at_meta, valueOf)} />
    </div>
  )
}
