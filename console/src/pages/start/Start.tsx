import { useState } from 'react'
import { useSession } from '../../session.ts'
import { Code } from '../../ui/CopyButton.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Checklist } from './Checklist.tsx'
import { KeyPart } from './KeyPart.tsx'
import { LANGUAGES, snippet, TASKS, type Language, type Task } from './snippets.ts'
import './start.css'

/** What this is, a key, a first call that works as it stands, and what has been tried so far. */
export default function Start() {
  const { organisation, sandbox } = useSession()
  const [key, setKey] = useState<string>()
  const [task, setTask] = useState<Task>('sms')
  const [language, setLanguage] = useState<Language>('curl')
  const text = snippet(task, language, {
    origin: location.origin,
    key: key ?? 'YOUR_KEY',
    sender_id: organisation.default_sender_id === undefined ? 'Gangan' : undefined,
  })
  return (
    <Page
      title="Start"
      lead="Gangan sends messages, one-time passwords and airtime, looks numbers up and keeps your contacts: one HTTP API with a prepaid balance, on your own machine."
    >
      <div className="start">
        <div className="stack">
          <KeyPart created={key} onCreated={setKey} />
          <Section
            title="2. Make a call"
            lead={
              sandbox
                ? 'Copy it into a terminal. This is a sandbox: nothing leaves this machine, and what is sent appears on a virtual phone.'
                : 'Copy it into a terminal. With a live key it costs money and reaches a real phone; put your own number in.'
            }
          >
            <div className="row start-choices">
              <Segments
                label="What to do"
                value={task}
                onChange={(value) => setTask(value)}
                choices={TASKS.map((one) => ({ value: one.task, label: one.title }))}
              />
              <Segments
                label="Language"
                value={language}
                onChange={(value) => setLanguage(value)}
                choices={LANGUAGES}
              />
            </div>
            <Code text={text} label={`${language} example`} />
            <p className="soft small">
              Every path, field and answer is in the <a href="/docs">reference</a>; tools read{' '}
              <a href="/openapi.json">openapi.json</a>.
            </p>
          </Section>
        </div>
        <Checklist />
      </div>
    </Page>
  )
}
