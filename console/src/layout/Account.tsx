import { lazy, Suspense, useState } from 'react'
import { useSession } from '../session.ts'
import { allTexts } from '../text/language.ts'
import { t } from '../text/text.ts'
import { IconButton } from '../ui/Button.tsx'
import { useZone, zoneName } from '../ui/date/zone.ts'
import { Select } from '../ui/select/Select.tsx'
import { useSay } from '../ui/Toast.tsx'
import { ChooseOrganisation } from './ChooseOrganisation.tsx'
import { setTheme, useTheme } from './theme.ts'

const MakeOrganisation = lazy(async () => {
  await allTexts()
  return import('./MakeOrganisation.tsx')
})

/** User, current organisation, colour scheme and logout. */
export function Account() {
  const { session, organisation, operator, choose, leave } = useSession()
  const [asking, setAsking] = useState<'other' | 'new'>()
  const theme = useTheme()
  const zone = useZone()
  const say = useSay()
  const next = NEXT[theme]
  return (
    <div className="account">
      <div>
        <Select
          label={t('Organisation')}
          value={organisation.id}
          onChange={(value) => (value === 'other' || value === 'new' ? setAsking(value) : choose(value))}
          choices={[
            ...session.organisations.flatMap(({ id, test_id, name }) => [
              { value: id, label: name },
              { value: test_id, label: t('{name} (test)', { name }) },
            ]),
            ...(operator
              ? [
                  { value: 'other', label: t('Another organisation…') },
                  { value: 'new', label: t('New organisation…') },
                ]
              : []),
          ]}
        />
        {asking === 'other' && (
          <ChooseOrganisation onNew={() => setAsking('new')} onClose={() => setAsking(undefined)} />
        )}
        {asking === 'new' && (
          <Suspense>
            <MakeOrganisation onClose={() => setAsking(undefined)} />
          </Suspense>
        )}
      </div>
      <p className="account-zone">{t('Times in {zone}', { zone: zoneName(zone, '') })}</p>
      <div className="row account-row">
        <a className="grow account-user" href="#/account" title={session.user.email}>
          {session.user.name || session.user.email}
        </a>
        <IconButton label={LABELS[theme]} icon={ICONS[theme]} onClick={() => setTheme(next)} />
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
