import { useState, type ReactNode } from 'react'
import { Samples } from '../../code/Samples.tsx'
import { CALLS, TASKS } from '../../code/snippets.ts'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Segments } from '../../ui/fields.tsx'
import { Section } from '../../ui/Page.tsx'
import { KeyPart } from './KeyPart.tsx'

/** The path of developers: a key, and a first call that works as it stands. */
export function ApiPart() {
  const { organisation, sandbox } = useSession()
  const [key, setKey] = useState<string>()
  const [task, setTask] = useState<keyof typeof CALLS>('sms')
  const { body, ...call } = CALLS[task]
  // A message needs a sender, and not every organisation has a default one.
  const unsigned = task === 'sms' && organisation.default_sender_id === undefined
  return (
    <>
      <KeyPart created={key} onCreated={setKey} />
      <Section
        title={t('2. Make a call')}
        lead={
          sandbox
            ? t(
                'Paste it into a terminal. This is a sandbox: nothing leaves this machine, and messages appear on a virtual phone.',
              )
            : t('Paste it into a terminal. A live key is charged and reaches a real phone: use your own number.')
        }
      >
        <Segments label={t('What to do')} value={task} onChange={setTask} choices={TASKS} />
        <Samples call={{ ...call, body: unsigned ? { ...body, sender_id: 'Gangan' } : body }} secret={key} />
        <p className="soft small">
          <Rich
            text="Every path, field and response is in the <docs>reference</docs>; tools can use <file>openapi.json</file>."
            docs={(inner: ReactNode) => <a href="/docs">{inner}</a>}
            file={(inner: ReactNode) => <a href="/openapi.json">{inner}</a>}
          />
        </p>
      </Section>
    </>
  )
}
