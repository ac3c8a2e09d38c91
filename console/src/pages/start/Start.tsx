import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Page } from '../../ui/Page.tsx'
import { ApiPart } from './ApiPart.tsx'
import { Checklist } from './Checklist.tsx'
import { SendYourself } from './SendYourself.tsx'
import './start.css'

/** Two ways to begin, by a form and by the API, and what has been tried so far. */
export default function Start() {
  const { right } = useSession()
  return (
    <Page
      title={t('Start')}
      lead={t(
        'Gangan sends messages, one-time passwords and airtime, looks up phone numbers and stores your contacts: one HTTP API with a prepaid balance, on your own server.',
      )}
    >
      <div className="start">
        <div className="stack">
          <SendYourself />
          {right('keys') === 'change' && (
            <>
              <div className="start-way">
                <h2>{t('Or use the API')}</h2>
                <p className="soft">{t('For developers: a key, and one call with any HTTP client.')}</p>
              </div>
              <ApiPart />
            </>
          )}
        </div>
        <Checklist />
      </div>
    </Page>
  )
}
