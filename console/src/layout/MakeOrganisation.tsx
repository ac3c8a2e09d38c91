import { call } from '../api.ts'
import { useDraft } from '../draft.ts'
import { useOnce } from '../read.ts'
import { go } from '../router.tsx'
import { useSession, useTake } from '../session.ts'
import { t } from '../text/text.ts'
import { CountryField } from '../ui/select/CountryField.tsx'
import { TextField } from '../ui/fields.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { typedAmount } from '../ui/Money.tsx'
import { useSay } from '../ui/Toast.tsx'

const PATH = '/console/api/organisations'

/** For operators: creates an organisation and switches to it. */
export default function MakeOrganisation({ onClose }: { onClose: () => void }) {
  const { organisation } = useSession()
  const take = useTake()
  const say = useSay()
  const kept = useDraft('organisation', {
    name: '',
    default_country: organisation.default_country,
    sender: '',
    credit: '',
  })
  const [draft, change] = kept
  const make = useOnce(
    t('New organisation'),
    (_: void, once) => {
      const wish = {
        name: draft.name.trim(),
        default_country: draft.default_country,
        ...(draft.sender === '' ? {} : { default_sender_id: draft.sender }),
        ...(draft.credit.trim() === '' ? {} : { credit: typedAmount(draft.credit) }),
      }
      return call('POST', PATH, wish, once)
    },
    [PATH],
  )
  return (
    <FormDialog
      title={t('Create an organisation')}
      action={t('Create')}
      write={make}
      draft={kept}
      onDone={({ organisation: made }) => {
        take(made, made.id)
        say(t('{name} is created. Invite its first user.', { name: made.name }))
        go('/users')
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        maxLength={190}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <div className="fields">
        <TextField
          name="default_sender_id"
          label={t('Sender')}
          optional
          maxLength={11}
          hint={t('Approved immediately.')}
          value={draft.sender}
          onChange={(sender) => change({ sender })}
        />
        <CountryField
          name="default_country"
          label={t('Country')}
          hint={t('Numbers without a country code are read as numbers of this country.')}
          value={draft.default_country}
          onChange={(default_country) => change({ default_country })}
        />
      </div>
      <TextField
        name="credit"
        label={t('Opening balance in {currency}', { currency: organisation.currency })}
        optional
        inputMode="decimal"
        hint={t('Its test organisation gets the same amount for testing.')}
        value={draft.credit}
        onChange={(credit) => change({ credit })}
      />
    </FormDialog>
  )
}
