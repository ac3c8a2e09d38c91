import { useRef } from 'react'
import { useSession } from '../../session.ts'
import { number, plural, Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Form.tsx'
import { isForeign, measure, plain } from './measure.ts'
import { withShortLinks } from './short-links.ts'
import './send.css'

type Props = {
  name: string
  label: string
  channel: string
  content: string
  change: (content: string) => void
  /** Links are replaced by short ones, which are counted instead. */
  is_trackable: boolean
  /** Names of placeholders that can be inserted where the cursor is. */
  columns?: readonly string[]
}

/** A text as it is typed, with its characters and pages, and marks under what the GSM alphabet does not have. */
export function MessageText({ name, label, channel, content, change, is_trackable, columns }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  function insert(column: string) {
    const at = area.current?.selectionStart ?? content.length
    const until = area.current?.selectionEnd ?? at
    const placeholder = `{{${column}}}`
    change(content.slice(0, at) + placeholder + content.slice(until))
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(at + placeholder.length, at + placeholder.length)
    })
  }
  return (
    <Field
      name={name}
      label={label}
      hint={<Hint channel={channel} content={content} change={change} is_trackable={is_trackable} />}
    >
      {(control) => (
        <>
          <div className="marked">
            <div className="marked-behind" aria-hidden="true">
              {marks(channel === 'sms' ? content : '')}
            </div>
            <textarea
              {...control}
              ref={area}
              rows={5}
              value={content}
              onChange={(event) => change(event.target.value)}
              onScroll={(event) => {
                const behind = event.currentTarget.previousElementSibling
                if (behind) behind.scrollTop = event.currentTarget.scrollTop
              }}
            />
          </div>
          {columns !== undefined && columns.length > 0 && (
            <div className="send-columns" role="group" aria-label={t('Insert a value of the recipient')}>
              {columns.map((column) => (
                <Button key={column} className="small" onClick={() => insert(column)}>
                  {`{{${column}}}`}
                </Button>
              ))}
            </div>
          )}
        </>
      )}
    </Field>
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

function Hint({
  channel,
  content,
  change,
  is_trackable,
}: Pick<Props, 'channel' | 'content' | 'change' | 'is_trackable'>) {
  const { short_link } = useSession().session
  if (channel !== 'sms') return t('{n} of 4,096 characters', { n: number(content.length) })
  const sent = is_trackable ? withShortLinks(content, short_link) : content
  const { length, pages, left } = measure(sent)
  const { foreign } = measure(content)
  const better = plain(content)
  const characters = foreign.map((character) => (
    <mark key={character}>{character.trim() === '' ? t('space') : character}</mark>
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
      {sent !== content && <span> {t('Counted with short links.')}</span>}
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
          {better !== content && (
            <Button look="bare" onClick={() => change(better)}>
              {t('Use plain characters')}
            </Button>
          )}
        </span>
      )}
    </>
  )
}
