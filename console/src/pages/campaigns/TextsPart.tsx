import { useRead } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField, TextField, ChannelField } from '../../ui/fields.tsx'
import { MessageText } from '../send/MessageText.tsx'
import { SenderField } from '../../ui/SenderField.tsx'
import type { CampaignDraft } from './campaigns.ts'

const MOST_TEXTS = 5
/** Placeholders offered under the text; others can be typed. */
const MOST_COLUMNS = 12

type Props = { draft: CampaignDraft; change: (part: Partial<CampaignDraft>) => void }
type OneText = CampaignDraft['texts'][number]

/** What is said: one text, or several of which each goes to a share of the people. */
export function TextsPart({ draft, change, columns }: Props & { columns: readonly string[] }) {
  const { texts } = draft
  const several = texts.length > 1
  const set = (place: number, part: Partial<OneText>) =>
    change({ texts: texts.map((text) => (text.place === place ? { ...text, ...part } : text)) })
  const another = { place: texts.length, content: '', template_id: '', share: '' }
  return (
    <div className="stack">
      {texts.map((text) => (
        <OneTextPart
          key={text.place}
          several={several}
          text={text}
          channel={draft.channel}
          is_trackable={draft.is_trackable}
          columns={columns}
          set={(part) => set(text.place, part)}
        />
      ))}
      <div className="row">
        {texts.length < MOST_TEXTS && (
          <Button icon="plus" onClick={() => change({ texts: [...texts, another] })}>
            {t('Compare with another text')}
          </Button>
        )}
        {several && <Button onClick={() => change({ texts: texts.slice(0, -1) })}>{t('Remove the last text')}</Button>}
      </div>
      <div className="fields">
        <ChannelField value={draft.channel} onChange={(channel) => change({ channel })} />
        <SenderField
          sender_id={draft.sender_id}
          channel={draft.channel}
          onChange={(sender_id) => change({ sender_id })}
        />
        <SelectField
          name="route_class"
          label={t('Type')}
          value={draft.route_class}
          onChange={(route_class) => change({ route_class })}
          hint={draft.route_class === 'promotional' ? t('Not to numbers on a do-not-disturb list.') : undefined}
          choices={[
            { value: 'transactional', label: t('Transactional') },
            { value: 'promotional', label: t('Promotional') },
          ]}
        />
      </div>
      <CheckField
        name="is_trackable"
        label={t('Count clicks on links')}
        hint={t(
          'Replaces each link with a short link of this service, unique to each recipient. Its length counts, not that of your link.',
        )}
        checked={draft.is_trackable}
        onChange={(is_trackable) => change({ is_trackable })}
      />
    </div>
  )
}

function OneTextPart({
  several,
  text,
  channel,
  is_trackable,
  columns,
  set,
}: {
  several: boolean
  text: OneText
  channel: string
  is_trackable: boolean
  columns: readonly string[]
  set: (part: Partial<OneText>) => void
}) {
  const found = useRead('/templates?limit=200')
  const templates = found.data?.templates ?? []
  const place = several ? `texts[${text.place}].` : ''
  const n = text.place + 1
  return (
    <div className="campaign-text">
      {text.template_id === '' && (
        <MessageText
          name={`${place}content`}
          label={several ? t('Text {n}', { n }) : t('Text')}
          channel={channel}
          content={text.content}
          is_trackable={is_trackable}
          columns={columns.slice(0, MOST_COLUMNS)}
          change={(content) => set({ content })}
        />
      )}
      <div className="fields">
        {templates.length > 0 && (
          <SelectField
            name={`${place}template_id`}
            label={several ? t('Template {n}', { n }) : t('Template')}
            value={text.template_id}
            onChange={(template_id) => set({ template_id })}
            hint={templates.find(({ id }) => id === text.template_id)?.content}
            choices={[
              { value: '', label: t('None: the text above') },
              ...templates.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        {several && (
          <TextField
            name={`${place}share`}
            label={t('Share {n}, in percent', { n })}
            optional
            inputMode="numeric"
            placeholder={t('Evenly')}
            value={text.share}
            onChange={(share) => set({ share: share.replace(/\D/g, '').slice(0, 3) })}
          />
        )}
      </div>
    </div>
  )
}
