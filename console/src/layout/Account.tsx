import { useId, useState } from 'react'
import { useSession } from '../session.ts'
import { IconButton } from '../ui/Button.tsx'
import { useSay } from '../ui/Toast.tsx'
import { ChooseOrganisation } from './ChooseOrganisation.tsx'
import { chosenTheme, setTheme, type Theme } from './theme.ts'

/** Who is logged in, which organisation they look at, light or dark, and the way out. */
export function Account() {
  const { session, organisation, operator, choose, leave } = useSession()
  const [searching, setSearching] = useState(false)
  const [theme, chooseTheme] = useState<Theme>(chosenTheme)
  const say = useSay()
  const id = useId()
  const next = NEXT[theme]
  return (
    <div className="account">
      <div>
        <label htmlFor={id} className="unseen">
          Organisation
        </label>
        <select
          id={id}
          value={organisation.id}
          onChange={(event) => (event.target.value === OTHER ? setSearching(true) : choose(event.target.value))}
        >
          {session.organisations.map(({ id, test_id, name }) => [
            <option key={id} value={id}>
              {name}
            </option>,
            <option key={test_id} value={test_id}>
              {name} (test)
            </option>,
          ])}
          {operator && <option value={OTHER}>Another …</option>}
        </select>
        {searching && <ChooseOrganisation onClose={() => setSearching(false)} />}
      </div>
      <div className="row account-row">
        <span className="grow account-user" title={session.user.email}>
          {session.user.name || session.user.email}
        </span>
        <IconButton
          label={`Colours: ${WORDS[theme]}. Switch to ${WORDS[next]}`}
          icon={ICONS[theme]}
          onClick={() => {
            setTheme(next)
            chooseTheme(next)
          }}
        />
        <IconButton
          label="Log out"
          icon="out"
          onClick={() => void leave().catch(() => say('You could not be logged out. Try again.', 'bad'))}
        />
      </div>
    </div>
  )
}

const OTHER = 'other'
const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const
const WORDS = { auto: 'as the system', light: 'light', dark: 'dark' }
