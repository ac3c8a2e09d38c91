import type { ReactNode } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import { Link } from '../../router.tsx'
import { number, plural, Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments, SelectField } from '../../ui/fields.tsx'
import { Field } from '../../ui/Form.tsx'
import type { Draft } from './draft.ts'
import { isForeign, measure, plain } from './measure.ts'

type Props = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  templates: readonly Template[]
  template: Template | undefined
}

/** What is said: typed here, or a template. */
export function TextPart({ draft, change, templates, template }: Props) {
  return (
    <div className="stack">
      <Segments
        label={t('What to send')}
        value={draft.source}
        onChange={(source) => change({ source })}
        choices={[
          { value: 'text', label: t('A text') },
          { value: 'template', label: t('A template') },
        ]}
      />
      {draft.source === 'template' ? (
        <SelectField
          name="template_id"
          label={t('Template')}
          value={draft.template_id}
          onChange={(template_id) => change({ template_id })}
          hint={
            templates.length === 0 ? (
              <Rich
                text="There is none yet. Create one under <link>Templates</link>."
                link={(inner: ReactNode) => <Link to="/templates">{inner}</Link>}
              />
            ) : (
              template?.content
            )
          }
          choices={[
            { value: '', label: t('Choose one') },
            ...templates.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : (
        <Field name="content" label={t('Text')} hint={<Hint draft={draft} change={change} />}>
          {(control) => (
            <div className="marked">
              <div className="marked-behind" aria-hidden="true">
                {marks(draft.channel === 'sms' ? draft.content : '')}
              </div>
              <textarea
                {...control}
                rows={5}
                value={draft.content}
                onChange={(event) => change({ content: event.target.value })}
                onScroll={(event) => {
                  const behind = event.currentTarget.previousElementSibling
                  if (behind) behind.scrollTop = event.currentTarget.scrollTop
                }}
              />
            </div>
          )}
        </Field>
      )}
    </div>
  )
}

/** The text again, behind the one that is typed, with a mark under what the GSM alphabet does not have. */
function marks(text: string) {
  const parts: { at: number; text: string; foreign: boolean }[] = []
  let at = 0
  for (const character of text) {
    const foreign = isForeign(character)
    const last = parts.at(-1)
    if (last && last.foreign === foreign) last.text += character
    else parts.push({ at, text: character, foreign })
    at += character.length
  }
  return parts.map((part) => (part.foreign ? <mark key={part.at}>{part.text}</mark> : part.text))
}

function Hint({ draft, change }: Pick<Props, 'draft' | 'change'>) {
  if (draft.channel !== 'sms') return t('{n} of 4,096 characters', { n: number(draft.content.length) })
  const { foreign, length, pages, left } = measure(draft.content)
  const better = plain(draft.content)
  const characters = foreign.map((character) => (
    <mark key={character}>{character.trim() === '' ? t('blank') : character}</mark>
  ))
  return (
    <>
      <span>
        {plural(
          pages,
          '{length} characters, {n} page, {left} left on it.',
          '{length} characters, {n} pages, {left} left on the last.',
          { length, left },
        )}
      </span>
      {foreign.length > 0 && (
        <span className="send-foreign" role="status">
          {foreign.length === 1 ? (
            <Rich
              text="{characters} is not in the GSM alphabet: a page holds 70 characters instead of 160."
              values={{ characters }}
            />
          ) : (
            <Rich
              text="{characters} are not in the GSM alphabet: a page holds 70 characters instead of 160."
              values={{ characters }}
            />
          )}{' '}
          {better !== draft.content && (
            <Button look="bare" onClick={() => change({ content: better })}>
              {t('Use plain characters')}
            </Button>
          )}
        </span>
      )}
    </>
  )
}
