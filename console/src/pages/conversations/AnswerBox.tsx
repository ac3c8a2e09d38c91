import { useState } from 'react'
import type { Conversation } from '../../../../clients/typescript/src/types.ts'
import { call, type ApiError } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { useSession } from '../../session.ts'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { Form } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { shortTime } from '../../ui/Time.tsx'
import { useEstimate, type Estimate } from '../send/estimate.ts'

/** Longer ones are numbers, which an estimate does not take and the price does not depend on. */
const LONGEST_NAME = 11

/** A line to answer, with what it will cost, and what speaks against it. */
export function AnswerBox({ conversation }: { conversation: Conversation }) {
  const { organisation } = useSession()
  const { phone, channel, sender_id, opted_out } = conversation
  const [content, setContent] = useState('')
  const answer = useOnce(
    (text: string, idempotency_key) =>
      call('POST', `/conversations/${phone}/messages`, { content: text }, { idempotency_key }),
    ['/conversations', '/balance'],
  )
  const named = sender_id !== undefined && sender_id.length <= LONGEST_NAME ? { sender_id } : {}
  const complete = content.trim() !== ''
  const { estimate, error } = useEstimate({ recipients: phone, channel, content, ...named }, complete)
  const obstacle = obstacleOf(conversation)
  return (
    <div className="conversation-answer">
      {obstacle !== undefined && (
        <p className="conversation-note" role="status">
          {obstacle}
        </p>
      )}
      {!opted_out && (
        <Form
          error={answer.error}
          label={t('Answer||a verb')}
          onSubmit={() => complete && answer.mutate(content, { onSuccess: () => setContent('') })}
        >
          <AreaField name="content" label={t('Your answer')} rows={2} value={content} onChange={setContent} />
          <div className="conversation-send">
            <p className="soft small" role="status">
              {way(conversation)}
              {complete && cost(estimate, error, organisation.currency, channel)}
            </p>
            <Button look="main" type="submit" busy={answer.isPending} disabled={!complete}>
              {t('Send')}
            </Button>
          </div>
        </Form>
      )}
    </div>
  )
}

function obstacleOf({ opted_out, window_until }: Conversation): string | undefined {
  if (opted_out) return t('This number has opted out. It can reply START to opt in again.')
  if (window_until === undefined) return undefined
  const until = new Date(window_until)
  const time = shortTime(until, false)
  return until.getTime() > Date.now()
    ? t('WhatsApp accepts free text until {time}, 24 hours after their last message.', { time })
    : t('WhatsApp’s 24-hour window ended at {time}: only templates are accepted until they write again.', { time })
}

function way({ channel, sender_id }: Conversation): string {
  if (channel === 'whatsapp') return t('By WhatsApp.')
  if (sender_id === undefined) return t('By SMS without a sender: register a sender first.')
  return t('By SMS from {sender}.', { sender: sender_id })
}

function cost(estimate: Estimate | undefined, refused: ApiError | null, currency: string, channel: string): string {
  if (refused) return ` ${refused.faults[0]?.message ?? refused.message}`
  if (!estimate) return ''
  const price = money(estimate.charge, currency)
  const costs =
    channel === 'sms' ? plural(estimate.pages, '{n} page, {price}.', '{n} pages, {price}.', { price }) : `${price}.`
  return estimate.available_balance < 0 ? ` ${costs} ${t('The balance does not cover it.')}` : ` ${costs}`
}
