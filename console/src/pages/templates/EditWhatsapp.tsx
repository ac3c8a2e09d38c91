import { useState } from 'react'
import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useSay } from '../../ui/Toast.tsx'
import {
  BUTTONS,
  CATEGORIES,
  componentsOf,
  draftOf,
  EMPTY,
  HEADERS,
  isEditable,
  parametersOf,
  WHATSAPP,
  type Button as OneButton,
  type Draft,
  type HeaderKind,
} from './whatsapp.ts'
import { WhatsappPreview } from './WhatsappPreview.tsx'

/** A template at Meta: a new one, or one to look at and, if it is one’s own, to change. */
export function EditWhatsapp({ id, onClose }: { id: string; onClose: () => void }) {
  const is_new = id === 'new'
  const found = useRead(is_new ? null : `${WHATSAPP}/${encodeURIComponent(id)}`)
  return (
    <Dialog title={is_new ? t('A new WhatsApp template') : t('WhatsApp template')} wide onClose={onClose}>
      {!is_new && found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {(is_new || found.data) && <Editor template={found.data} onClose={onClose} />}
    </Dialog>
  )
}

function Editor({ template, onClose }: { template: MetaTemplate | undefined; onClose: () => void }) {
  const say = useSay()
  const [draft, setDraft] = useState<Draft>(template ? draftOf(template) : EMPTY)
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more })
  const save = useWrite(() => {
    const components = componentsOf(draft)
    const { name, language, category } = draft
    return template
      ? call('PATCH', `${WHATSAPP}/${template.id}`, { components })
      : call('POST', WHATSAPP, { name, language, category, components })
  }, [WHATSAPP])
  const may_change = template === undefined || isEditable(template)
  return (
    <Form
      error={save.error}
      onSubmit={() =>
        save.mutate(undefined, {
          onSuccess: () => {
            say(t('Submitted to Meta, which reviews it.'))
            onClose()
          },
        })
      }
    >
      {template && (
        <p className="row soft">
          <Badge status={template.status} />
          {[template.name, template.language, template.reason].filter(Boolean).join(' · ')}
        </p>
      )}
      <div className="whatsapp-edit">
        <fieldset className="plain" disabled={!may_change}>
          {!template && <Names draft={draft} change={change} />}
          <Texts draft={draft} change={change} />
          <Buttons draft={draft} change={change} />
        </fieldset>
        <WhatsappPreview draft={draft} />
      </div>
      <FormActions>
        {may_change && (
          <Button look="main" type="submit" busy={save.isPending}>
            {t('Submit for review')}
          </Button>
        )}
        <CloseButton />
      </FormActions>
    </Form>
  )
}

type Part = { draft: Draft; change: (more: Partial<Draft>) => void }

function Names({ draft: { name, language, category }, change }: Part) {
  return (
    <>
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
      <SelectField
        name="category"
        label={t('Category')}
        hint={t('Meta prices messages by it, and may change it.')}
        value={category}
        onChange={(next) => change({ category: next })}
        choices={CATEGORIES}
      />
    </>
  )
}

function Texts({ draft, change }: Part) {
  const { header, header_value, header_sample, body, samples, footer } = draft
  const at = header === 'none' ? 0 : 1
  const is_file = header === 'image' || header === 'video' || header === 'document'
  return (
    <>
      <SelectField
        name="header"
        label={t('Header')}
        value={header}
        onChange={(next) =>
          change({ header: HEADERS.find(({ value }) => value === next)?.value ?? ('none' satisfies HeaderKind) })
        }
        choices={HEADERS}
      />
      {header === 'text' && (
        <TextField
          name="components[0].text"
          label={t('Text of the header')}
          value={header_value}
          onChange={(next) => change({ header_value: next })}
        />
      )}
      {header === 'text' && parametersOf(header_value).length > 0 && (
        <TextField
          name="components[0].example.header_text"
          label={t('Sample for {name}', { name: parametersOf(header_value)[0] ?? '' })}
          value={header_sample}
          onChange={(next) => change({ header_sample: next })}
        />
      )}
      {is_file && (
        <TextField
          name="components[0].example.header_handle"
          label={t('Sample file')}
          hint={t('The handle that Meta’s resumable upload answers.')}
          value={header_value}
          onChange={(next) => change({ header_value: next })}
        />
      )}
      <AreaField
        name={`components[${at}].text`}
        label={t('Text')}
        rows={5}
        hint={t('Values are {{1}}, {{2}}, …; *bold*, _italic_ and ~struck~ are formatted.')}
        value={body}
        onChange={(next) => change({ body: next })}
      />
      {parametersOf(body).map((name, n) => (
        <TextField
          key={name}
          name={n === 0 ? `components[${at}].example.body_text` : `sample ${name}`}
          label={t('Sample for {name}', { name })}
          value={samples[n] ?? ''}
          onChange={(next) =>
            change({ samples: parametersOf(body).map((_, k) => (k === n ? next : (samples[k] ?? ''))) })
          }
        />
      ))}
      <TextField
        name={`components[${at + 1}].text`}
        label={t('Footer')}
        optional
        value={footer}
        onChange={(next) => change({ footer: next })}
      />
    </>
  )
}

const MAX_BUTTONS = 10

function Buttons({ draft: { header, footer, buttons }, change }: Part) {
  const at = (header === 'none' ? 1 : 2) + (footer === '' ? 0 : 1)
  const set = (n: number, more: Partial<OneButton>) =>
    change({ buttons: buttons.map((one, k) => (k === n ? { ...one, ...more } : one)) })
  return (
    <>
      {buttons.map(({ type, text, value, sample }, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- buttons have no other identity
        <fieldset key={n}>
          <legend>{t('Button {number}', { number: n + 1 })}</legend>
          <SelectField
            name={`components[${at}].buttons[${n}].type`}
            label={t('What it does')}
            value={type}
            onChange={(next) => set(n, { type: BUTTONS.find((one) => one.value === next)?.value ?? 'QUICK_REPLY' })}
            choices={BUTTONS}
          />
          {type !== 'COPY_CODE' && (
            <TextField
              name={`components[${at}].buttons[${n}].text`}
              label={t('Label||of a button')}
              value={text}
              onChange={(next) => set(n, { text: next })}
            />
          )}
          {type !== 'QUICK_REPLY' && (
            <TextField
              name={`components[${at}].buttons[${n}].${FIELDS[type]}`}
              label={VALUES[type]}
              {...(type === 'URL' ? { hint: t('May end in {{1}}.') } : {})}
              value={value}
              onChange={(next) => set(n, { value: next })}
            />
          )}
          {type === 'URL' && parametersOf(value).length > 0 && (
            <TextField
              name={`components[${at}].buttons[${n}].example`}
              label={t('Sample for {name}', { name: '1' })}
              value={sample}
              onChange={(next) => set(n, { sample: next })}
            />
          )}
          <Button look="remove" onClick={() => change({ buttons: buttons.filter((_, k) => k !== n) })}>
            {t('Remove')}
          </Button>
        </fieldset>
      ))}
      {buttons.length < MAX_BUTTONS && (
        <Button
          icon="plus"
          onClick={() => change({ buttons: [...buttons, { type: 'QUICK_REPLY', text: '', value: '', sample: '' }] })}
        >
          {t('Add a button')}
        </Button>
      )}
    </>
  )
}

const FIELDS = { URL: 'url', PHONE_NUMBER: 'phone_number', COPY_CODE: 'example' } as const
const VALUES = { URL: t('Address'), PHONE_NUMBER: t('Phone number'), COPY_CODE: t('Sample code') } as const
