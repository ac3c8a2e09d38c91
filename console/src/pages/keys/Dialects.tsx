import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Code } from '../../ui/CopyButton.tsx'
import { Section } from '../../ui/Page.tsx'

/** Snippets for software written for other services; only URL and credentials change. */
export function Dialects() {
  const { organisation } = useSession()
  const { origin } = location
  const sid = `AC${organisation.id.replaceAll('-', '')}`
  const twilio = [
    `const client = twilio('${sid}', process.env.GANGAN_API_KEY)`,
    `client.api.baseUrl = client.verify.baseUrl = client.lookups.baseUrl = '${origin}'`,
  ].join('\n')
  const kannel = `curl '${origin}/cgi-bin/sendsms?username=shop&password='"$GANGAN_API_KEY"'&to=2348031234567&text=Hello'`
  const token = `curl -u ${sid}:"$GANGAN_API_KEY" ${origin}/2010-04-01/Accounts/${sid}.json`
  return (
    <Section
      title={t('From software for other services')}
      lead={t('Applications written for Twilio or Kannel work with a different URL. Use the key as their password.')}
    >
      <p className="hint">{t('Twilio’s libraries')}</p>
      <Code text={twilio} label={t('For Twilio’s libraries')} />
      <p className="hint">{t('The auth token of a key, which also signs callbacks')}</p>
      <Code text={token} label={t('The auth token of a key')} />
      <p className="hint">{t('Clients of Kannel')}</p>
      <Code text={kannel} label={t('For clients of Kannel')} />
    </Section>
  )
}
