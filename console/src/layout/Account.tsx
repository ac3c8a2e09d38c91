import { lazy, Suspense, useId, useState } from 'react'
import { useSession } from '../session.ts'
import { allTexts } from '../text/language.ts'
import { t } from '../text/text.ts'
import { IconButton } from '../ui/Button.tsx'
import { useSay } from '../ui/Toast.tsx'
import { ChooseOrganisation } from './ChooseOrganisation.tsx'
import { chosenTheme, setTheme, type Theme } from './theme.ts'

const MakeOrganisation = lazy(async () => {
  await allTexts()
  return import('./MakeOrganisation.tsx')
})

/** User, current organisation, colour scheme and logout. */
export function Account() {
  const { session, organisation, operator, choose, leave } = useSession()
  const [asking, setAsking] = useState<'other' | 'new'>()
  const [theme, chooseTheme] = useState<Theme>(chosenTheme)
  const say = useSay()
  const id = useId()
  const next = NEXT[theme]
  return (
    <div className="account">
      <div>
        <label htmlFor={id} className="unseen">
          {t('Organisation')}
        </label>
        <select
          id={id}
          value={organisation.id}
          onChange={({ target: { value } }) =>
            value === 'other' || value === 'new' ? setAsking(value) : choose(value)
          }
        >
          {session.organisations.map(({ id: organisation_id, test_id, name }) => [
            <option key={organisation_id} value={organisation_id}>
              {name}
            </option>,
            <option key={test_id} value={test_id}>
              {t('{name} (test)', { name })}
            </option>,
          ])}
          {operator && <option value="other">{t('Another organisation …')}</option>}
          {operator && <option value="new">{t('New organisation …')}</option>}
        </select>
        {asking === 'other' && (
          <ChooseOrganisation onNew={() => setAsking('new')} onClose={() => setAsking(undefined)} />
        )}
        {asking === 'new' && (
          <Suspense>
            <MakeOrganisation onClose={() => setAsking(undefined)} />
          </Suspense>
        )}
      </div>
      <div className="row account-row">
        <a className="grow account-user" href="#/account" title={session.user.email}>
          {session.user.name || session.user.email}
        </a>
        <IconButton
          label={LABELS[theme]}
          icon={ICONS[theme]}
          onClick={() => {
            setTheme(next)
            chooseTheme(next)
          }}
        />
        <IconButton
          label={t('Log out')}
          icon="out"
          onClick={() => void leave().catch(() => say(t('You could not be logged out. Try again.'), 'bad'))}
        />
      </div>
    </div>
  )
}

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const
const LABELS = {
  auto: t('Colours: as the system. Switch to light'),
  light: t('Colours: light. Switch to dark'),
  dark: t('Colours: dark. Switch to as the system'),
}
