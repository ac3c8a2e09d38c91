import { useContext } from 'react'
import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ReadOnly } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import {
  cardsOf,
  CATEGORIES,
  componentsOf,
  draftOf,
  EMPTY,
  isNamed,
  REASONS,
  shownOf,
  WHATSAPP,
  type Part,
} from './whatsapp.ts'
import { WhatsappButtons } from './WhatsappButtons.tsx'
import { WhatsappOtp } from './WhatsappOtp.tsx'
import { WhatsappPreview } from './WhatsappPreview.tsx'
import { WhatsappTexts } from './WhatsappTexts.tsx'

/** A template at Meta: a new one, or one to look at and, if it is one’s own, to change. */
export function EditWhatsapp({ id, onClose }: { id: string; onClose: () => void }) {
  const is_new = id === 'new'
  const found = useRead(is_new ? null : `${WHATSAPP}/${encodeURIComponent(id)}`)
  if (is_new || found.data) return <Editor key={id} template={found.data} onClose={onClose} />
  return (
    <Dialog title={t('WhatsApp template')} wide onClose={onClose}>
      {found.error ? <Trouble error={found.error} /> : <Loading />}
    </Dialog>
  )
}

function Editor({ template, onClose }: { template: MetaTemplate | undefined; onClose: () => void }) {
  const say = useSay()
  const is_live = useSession().organisation.mode === 'live'
  const kept = useDraft(`whatsapp.${template?.id ?? 'new'}`, template ? draftOf(template) : EMPTY)
  const [draft, change] = kept
  const { name, language, category } = draft
  const components = componentsOf(draft)
  const save = useWrite(
    () =>
      template
        ? call('PATCH', `${WHATSAPP}/${template.id}`, {
            components,
            ...(category === template.category ? {} : { category }),
          })
        : call('POST', WHATSAPP, {
            name,
            language,
            category,
            components,
            ...(isNamed(draft) ? { parameter_format: 'named' } : {}),
          }),
    [WHATSAPP],
  )
  const fixed = template && whyFixed(template, is_live)
  const read_only = useContext(ReadOnly) || fixed !== undefined
  return (
    <ReadOnly value={read_only}>
      <FormDialog
        title={template ? t('WhatsApp template') : t('A new WhatsApp template')}
        action={t('Submit for review')}
        wide
        write={save}
        draft={kept}
        blocked={is_live ? undefined : NOT_LIVE}
        onDone={() => say(t('Submitted to Meta, which reviews it.'))}
        onClose={onClose}
      >
        {template && <State template={template} />}
        {fixed !== undefined && <p className="soft">{fixed}</p>}
        <div className="whatsapp-edit">
          <div className="stack">
            {!template && <Names draft={draft} change={change} />}
            {(!template || template.status !== 'approved') && (
              <Category draft={draft} change={change} made={template} />
            )}
            {category === 'authentication' ? (
              !template && <WhatsappOtp draft={draft} change={change} />
            ) : (
              <>
                <WhatsappTexts draft={draft} change={change} />
                <WhatsappButtons draft={draft} change={change} />
              </>
            )}
          </div>
          <WhatsappPreview shown={template ? draft : shownOf(draft)} cards={template ? cardsOf(template) : []} />
        </div>
      </FormDialog>
    </ReadOnly>
  )
}

function State({ template: { name, language, status, reason } }: { template: MetaTemplate }) {
  return (
    <p className="row soft">
      <Badge status={status} />
      {[name, language, reason !== undefined && (REASONS[reason] ?? reason)].filter(Boolean).join(' · ')}
    </p>
  )
}

const NOT_LIVE = t('Templates are created and changed in live mode only: Meta has no test mode.')

/** Why a template cannot be changed here. */
function whyFixed({ is_own, category, status, components }: MetaTemplate, is_live: boolean): string | undefined {
  if (!is_own)
    return t('It was not created by your organisation: you can send it, but only the operator can change it.')
  if (!is_live) return NOT_LIVE
  if (status === 'pending') return t('Meta is reviewing it. It can be changed after that.')
  if (category === 'authentication') {
    return t('Authentication templates are changed through the API: Meta does not show all that was submitted.')
  }
  return cardsOf({ components }).length > 0 ? t('Carousels are created and changed through the API.') : undefined
}

function Names({ draft: { name, language }, change }: Part) {
  return (
    <div className="fields">
      <TextField
        name="name"
        label={t('Name')}
        hint={t('Lowercase letters, digits and underscores.')}
        value={name}
        onChange={(next) => change({ name: next })}
      />
      <TextField
        name="language"
        label={t('Language')}
        hint={t('A code such as en or pt_BR.')}
        value={language}
        onChange={(next) => change({ language: next })}
      />
    </div>
  )
}

/** A template does not become one for authentication, nor the reverse: its parts are others. */
function Category({ draft: { category }, change, made }: Part & { made: MetaTemplate | undefined }) {
  const choices = CATEGORIES.filter(
    ({ value }) => !made || (value === 'authentication') === (made.category === 'authentication'),
  )
  return (
    <SelectField
      name="category"
      label={t('Category')}
      hint={
        category === 'marketing'
          ? t('Meta prices messages by it, and may change it. Carousels are created through the API.')
          : t('Meta prices messages by it, and may change it.')
      }
      value={category}
      onChange={(next) => change({ category: next })}
      choices={choices}
    />
  )
}
