import { useState } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import { useRead } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { DataList } from '../../ui/DataList.tsx'
import { Money } from '../../ui/Money.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Section } from '../../ui/Page.tsx'
import { typedNumber } from '../../ui/Phone.tsx'
import { useEstimate } from '../send/estimate.ts'
import { PhonePreview } from '../send/PhonePreview.tsx'
import { fillIn, placeholdersOf } from '../send/placeholders.ts'
import { withShortLinks } from '../send/short-links.ts'
import { previewOf } from '../templates/preview-of.ts'
import { WHATSAPP } from '../templates/whatsapp.ts'
import { WhatsappPreview } from '../templates/WhatsappPreview.tsx'
import type { Audience } from './audience.ts'
import type { CampaignDraft } from './campaigns.ts'

/** What one of the first recipients would get, and what that costs. */
export function ComposerPreview({ draft, audience }: { draft: CampaignDraft; audience: Audience }) {
  const { organisation, session } = useSession()
  const [place, choose] = useState(0)
  const [chosen, setChosen] = useState(0)
  const templates = useRead('/templates?limit=200')
  const index = Math.min(place, Math.max(0, audience.recipients.length - 1))
  const person = audience.recipients[index]
  const shown = Math.min(chosen, draft.texts.length - 1)
  const text = draft.texts[shown]
  const template = templates.data?.templates.find(({ id }) => id === text?.template_id)
  const pattern = template?.content ?? text?.content ?? ''
  const content = fillIn(pattern, valuesFor(pattern, person?.values ?? {}))
  const number = person?.number.trim() ?? ''
  const recipient = typedNumber(number, organisation.default_country) ?? (number || undefined)
  const { is_trackable, channel, route_class } = draft
  const sender = draft.sender_id ? { sender_id: draft.sender_id } : {}
  const of_meta = channel === 'whatsapp' ? template : undefined
  const at_meta = useRead(of_meta?.whatsapp ? WHATSAPP : null).data?.templates ?? []
  const valueOf = (name: string) => person?.values[name.toLowerCase()] ?? ''
  const body = {
    recipients: recipient,
    is_trackable,
    channel,
    route_class,
    ...sender,
    ...(of_meta && recipient !== undefined ? templateWith(of_meta, recipient, valueOf) : { content }),
  }
  const { estimate, error } = useEstimate(body, Boolean(recipient && content))
  return (
    <div className="stack send-side">
      {draft.texts.length > 1 && (
        <Segments
          label={t('Text to test')}
          value={String(shown)}
          onChange={(next) => setChosen(Number(next))}
          choices={draft.texts.map((_, n) => ({ value: String(n), label: t('Text {n}', { n: n + 1 }) }))}
        />
      )}
      <PhonePreview
        sender={draft.sender_id || organisation.default_sender_id || t('No sender yet')}
        recipient={recipient}
        text={estimate?.text ?? (is_trackable ? withShortLinks(content, session.short_link) : content)}
        place={index}
        all={audience.recipients.length}
        choose={choose}
      >
        {of_meta && <WhatsappPreview {...previewOf(of_meta, at_meta, valueOf)} />}
      </PhonePreview>
      {estimate && (
        <Section title={t('For this recipient')}>
          <DataList
            items={[
              [t('Encoding'), channel === 'sms' && estimate.encoding],
              [t('Pages'), channel === 'sms' && estimate.pages],
              [t('Charge'), <Money amount={estimate.charge} />],
            ]}
          />
        </Section>
      )}
      {person && number === '' && (
        <p className="soft small">{t('This contact has no phone number and is left out.')}</p>
      )}
      {error && (
        <p className="soft small" role="status">
          {error.faults[0]?.message ?? error.message}
        </p>
      )}
    </div>
  )
}

/** WhatsApp takes a template where it does not take its text. */
function templateWith({ id, placeholders }: Template, to: string, valueOf: (name: string) => string) {
  const filled = placeholders.map(({ name }) => [name, valueOf(name)] as const).filter(([, value]) => value !== '')
  return { template_id: id, personalisation: [{ to, substitutions: Object.fromEntries(filled) }] }
}

/** Names of placeholders are compared without case. */
function valuesFor(pattern: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(placeholdersOf(pattern).map(({ name }) => [name, values[name.toLowerCase()] ?? '']))
}
