import { useState } from 'react'
import type { Optout } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { usePages } from '../../read.ts'
import { t } from '../../text/text.ts'
import { BlockDialog, BlockedNumbers, useNumberSearch } from '../../ui/BlockedNumbers.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'

const PATH = '/optouts'
const EVERY_MS = 10_000

function sourceText(source: Optout['source']): string {
  if (source === 'text') return t('wrote STOP')
  return source === 'carrier' ? t('opted out at the carrier') : t('added by you')
}

/** Numbers that have opted out of the messages of the organisation. */
export default function Optouts() {
  const pages = usePages(PATH, 'optouts', { recipient: useNumberSearch(), limit: 50 }, { every_ms: EVERY_MS })
  return (
    <BlockedNumbers
      title={t('Opt-outs')}
      lead={t(
        'Numbers that receive no messages: they replied STOP, opted out at their network, or were blocked by you. They can opt in again with START, or you can unblock them.',
      )}
      pages={pages}
      rowKey={({ id }) => id}
      columns={[
        { title: t('Number||of a phone'), cell: ({ recipient }) => <Phone number={recipient} /> },
        { title: t('How||a recipient opted out'), narrow: true, cell: ({ source }) => sourceText(source) },
        { title: t('Since'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
      ]}
      none={
        <Empty title={t('No opt-outs.')}>
          {t('Recipients who reply STOP are listed here and receive no more messages.')}
        </Empty>
      }
      Block={Block}
      unblock={{
        nameOf: ({ recipient }) => phoneText(recipient),
        write: ({ recipient }) => call('DELETE', `${PATH}/${recipient}`),
        stale: [PATH],
        effect: t('You can send to this number again. If the recipient replied STOP, make sure that they agree.'),
      }}
    />
  )
}

function Block({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  return (
    <BlockDialog
      name="recipients"
      label={t('Numbers||of phones')}
      hint={t('Separated by commas or line breaks.')}
      text={text}
      onText={setText}
      write={(recipients) => call('POST', PATH, { recipients })}
      stale={[PATH]}
      done={() => t('These numbers will receive no more messages.')}
      onClose={onClose}
    />
  )
}
