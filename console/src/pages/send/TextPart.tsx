import type { Template } from '../../../../src/templates/schema.ts'
import { Link } from '../../router.tsx'
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
        label="What to send"
        value={draft.source}
        onChange={(source) => change({ source })}
        choices={[
          { value: 'text', label: 'A text' },
          { value: 'template', label: 'A template' },
        ]}
      />
      {draft.source === 'template' ? (
        <SelectField
          name="template_id"
          label="Template"
          value={draft.template_id}
          onChange={(template_id) => change({ template_id })}
          hint={
            templates.length === 0 ? (
              <>
                There is none yet. Make one under <Link to="/templates">Templates</Link>.
              </>
            ) : (
              template?.content
            )
          }
          choices={[
            { value: '', label: 'Choose one' },
            ...templates.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : (
        <Field name="content" label="Text" hint={<Hint draft={draft} change={change} />}>
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
  if (draft.channel !== 'sms') return `${draft.content.length.toLocaleString('en')} of 4,096 characters`
  const { foreign, length, pages, left } = measure(draft.content)
  const better = plain(draft.content)
  return (
    <>
      <span>
        {length} characters, {pages} {pages === 1 ? 'page' : 'pages'}, {left} left on {pages === 1 ? 'it' : 'the last'}.
      </span>
      {foreign.length > 0 && (
        <span className="send-foreign" role="status">
          {foreign.map((character) => (
            <mark key={character}>{character.trim() === '' ? 'blank' : character}</mark>
          ))}{' '}
          {foreign.length === 1 ? 'is' : 'are'} not in the GSM alphabet: a page holds 70 characters instead of 160.{' '}
          {better !== draft.content && (
            <Button look="bare" onClick={() => change({ content: better })}>
              Write it plainly
            </Button>
          )}
        </span>
      )}
    </>
  )
}
