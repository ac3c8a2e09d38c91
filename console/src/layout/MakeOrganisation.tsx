import { useState } from 'react'
import { call } from '../api.ts'
import { useOnce } from '../read.ts'
import { go } from '../router.tsx'
import { useSession, useTake } from '../session.ts'
import { CountryField } from '../ui/CountryField.tsx'
import { TextField } from '../ui/fields.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { typedAmount } from '../ui/Money.tsx'
import { useSay } from '../ui/Toast.tsx'

const PATH = '/console/api/organisations'

/** For operators: a new customer. It is looked at as soon as it is there. */
export default function MakeOrganisation({ onClose }: { onClose: () => void }) {
  const { organisation } = useSession()
  const take = useTake()
  const say = useSay()
  const [draft, setDraft] = useState({
    name: '',
    default_country: organisation.default_country,
    sender: '',
    credit: '',
  })
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const make = useOnce(
    (_: void, idempotency_key) => {
      const wish = {
        name: draft.name.trim(),
        default_country: draft.default_country,
        ...(draft.sender === '' ? {} : { default_sender_id: draft.sender }),
        ...(draft.credit.trim() === '' ? {} : { credit: typedAmount(draft.credit) }),
      }
      return call('POST', PATH, wish, { idempotency_key })
    },
    [PATH],
  )
  return (
    <FormDialog
      title="Make an organisation"
      action="Make it"
      write={make}
      onDone={({ organisation: made }) => {
        take(made, made.id)
        say(`${made.name} is made. Invite somebody of theirs.`)
        go('/users')
      }}
      onClose={onClose}
    >
      <TextField name="name" label="Name" maxLength={190} value={draft.name} onChange={(name) => change({ name })} />
      <div className="fields">
        <TextField
          name="default_sender_id"
          label="Sender"
          optional
          maxLength={11}
          hint="Approved at once."
          value={draft.sender}
          onChange={(sender) => change({ sender })}
        />
        <CountryField
          name="default_country"
          label="Country"
          hint="Numbers without a country code belong here."
          value={draft.default_country}
          onChange={(default_country) => change({ default_country })}
        />
      </div>
      <TextField
        name="credit"
        label={`Opening credit in ${organisation.currency}`}
        optional
        inputMode="decimal"
        hint="Its test organisation gets as much, to play with."
        value={draft.credit}
        onChange={(credit) => change({ credit })}
      />
    </FormDialog>
  )
}
