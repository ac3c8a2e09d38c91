import { useState } from 'react'
import { call, withQuery } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useOnce, useRead } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { CloseButton, Dialog, UNSAVED } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Money, typedAmount } from '../../ui/Money.tsx'
import { phoneText, typedNumber } from '../../ui/Phone.tsx'
import { useSay } from '../../ui/Toast.tsx'

const NOTHING = { recipient: '', chosen: '', amount: '', external_ref: '' }
const NETWORKS = ['MTN', 'Airtel', 'Glo', '9mobile', 'NTEL']

/** Two steps: what to buy, with the network of the number, and a confirmation with the price and the balance. */
export function BuyAirtime({ onClose }: { onClose: () => void }) {
  const { organisation } = useSession()
  const say = useSay()
  const draft = useDraft('airtime', NOTHING)
  const [{ recipient, chosen, amount, external_ref }, change, forget, restored] = draft
  const [confirming, setConfirming] = useState(false)
  const digits = typedNumber(recipient, organisation.default_country)
  const detected = useRead(
    digits === undefined ? null : withQuery('/console/api/airtime/network', { phone: `+${digits}` }),
    { keep: true },
  )
  const of_number = digits === undefined ? undefined : detected.data?.network
  const network = chosen || (of_number ?? '')
  const price = amount.trim() === '' ? undefined : typedAmount(amount)
  const account = useRead('/balance?limit=1')
  const after = account.data && typeof price === 'number' ? account.data.balance - price : undefined
  const buy = useOnce(
    t('Airtime'),
    async (_: void, once) => {
      const body = {
        recipient,
        ...(network === '' ? {} : { network }),
        ...(price === undefined ? {} : { amount: price }),
        ...(external_ref ? { external_ref } : {}),
      }
      const bought = await call('POST', '/airtime/buy', body, once)
      forget()
      return bought
    },
    ['/airtime', '/console/api/overview', '/balance'],
  )
  const ready = digits !== undefined && network !== '' && typeof price === 'number' && price > 0
  function submit() {
    if (ready && !confirming) {
      setConfirming(true)
      return
    }
    // The service refuses what is missing or wrong, beside its field.
    buy.mutate(undefined, {
      onSuccess: () => {
        onClose()
        say(t('Purchase in progress.'))
      },
      onError: () => setConfirming(false),
    })
  }
  function close() {
    forget()
    onClose()
  }
  return (
    <Dialog
      title={confirming ? t('Confirm the purchase') : t('Buy airtime')}
      onClose={close}
      {...(restored ? { loses: UNSAVED } : {})}
    >
      <Form error={buy.error} draft={draft} onSubmit={submit} label={t('Buy airtime')}>
        {confirming ? (
          <DataList
            items={[
              [t('Phone number'), phoneText(digits ?? recipient)],
              [t('Network'), network],
              [
                t('Price'),
                <b>
                  <Money amount={Number(price)} />
                </b>,
              ],
              [t('Balance'), account.data && <Money amount={account.data.balance} />],
              [t('Balance after'), after !== undefined && <Money amount={after} />],
            ]}
          />
        ) : (
          <>
            <TextField
              name="recipient"
              label={t('Phone number')}
              type="tel"
              value={recipient}
              onChange={(next) => change({ recipient: next })}
              placeholder="0803 123 4567"
            />
            <div className="fields">
              <SelectField
                name="network"
                label={t('Network')}
                value={network}
                onChange={(next) => change({ chosen: next })}
                hint={hintOf(network, of_number)}
                choices={[
                  ...(network === '' ? [{ value: '', label: t('Choose one') }] : []),
                  ...NETWORKS.map((value) => ({ value, label: value })),
                ]}
              />
              <TextField
                name="amount"
                label={t('Amount in {currency}', { currency: organisation.currency })}
                inputMode="decimal"
                hint={
                  after !== undefined && (
                    <Rich text="Balance after: {amount}" values={{ amount: <Money amount={after} /> }} />
                  )
                }
                value={amount}
                onChange={(next) => change({ amount: next })}
              />
            </div>
            <TextField
              name="external_ref"
              label={t('Your reference')}
              optional
              value={external_ref}
              onChange={(next) => change({ external_ref: next })}
            />
          </>
        )}
        {confirming && after !== undefined && after < 0 && (
          <p className="refused">{t('The balance does not cover it.')}</p>
        )}
        <FormActions>
          <Button look="main" type="submit" busy={buy.isPending}>
            {confirming ? t('Buy') : t('Continue')}
          </Button>
          {confirming ? <Button onClick={() => setConfirming(false)}>{t('Back')}</Button> : <CloseButton />}
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** Numbers are ported, so another choice is allowed, but it is usually a mistake. */
function hintOf(network: string, of_number: string | undefined): string | undefined {
  if (of_number === undefined) return undefined
  return network === of_number
    ? t('Detected from the number.')
    : t('The number appears to belong to {network}.', { network: of_number })
}
