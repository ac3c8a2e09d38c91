import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { LANGUAGES, speak, speakAs } from '../../text/language.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'

const CHOICES = [{ value: '', label: t('Same as the browser') }, ...LANGUAGES]

/** Goes with the person to every browser they log in from. */
export function SpokenLanguage() {
  const { session, enter } = useSession()
  const say = useSay()
  const [language, setLanguage] = useState<string>(session.user.language ?? '')
  const change = useWrite(() => call('PATCH', '/console/api/me', { language: language === '' ? null : language }))
  return (
    <Section title={t('Language')}>
      <Form
        error={change.error}
        onSubmit={() =>
          change.mutate(undefined, {
            onSuccess: ({ user }) => {
              enter({ ...session, user })
              say(t('Your language is changed.'))
              if (user.language === undefined) speak(undefined)
              else speakAs(user.language)
            },
          })
        }
      >
        <SelectField
          name="language"
          label={t('Language of the console')}
          hint={t('Applies wherever you log in. Your messages are not translated.')}
          value={language}
          onChange={setLanguage}
          choices={CHOICES}
        />
        <FormActions>
          <Button type="submit" busy={change.isPending}>
            {t('Change the language')}
          </Button>
        </FormActions>
      </Form>
    </Section>
  )
}
