import { useState } from 'react'
import type { PriceList } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { percent, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { amountOrNull, money, writtenAmount } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { PRICE_LISTS, STALE } from './prices.ts'

/** What a price list charges beside messages. */
export function Fees({ list, currency }: { list: PriceList; currency: string }) {
  const [changing, setChanging] = useState(false)
  const { otp_per_request, otp_per_verified, airtime_commission } = list
  const fee = (amount: number | undefined) => (amount === undefined ? t('none||price') : money(amount, currency))
  return (
    <Section title={t('Fees')} actions={<Button onClick={() => setChanging(true)}>{t('Change the fees')}</Button>}>
      <DataList
        items={[
          [t('Per requested one-time password'), fee(otp_per_request)],
          [t('Per verified one-time password'), fee(otp_per_verified)],
          [
            t('Commission on airtime'),
            airtime_commission === undefined
              ? t('none||price')
              : percent(airtime_commission / 100, { maximumFractionDigits: 4 }),
          ],
        ]}
      />
      {changing && <ChangeFees list={list} onClose={() => setChanging(false)} />}
    </Section>
  )
}

function ChangeFees({ list, onClose }: { list: PriceList; onClose: () => void }) {
  const say = useSay()
  const draft = useDraft(`fees.${list.name}`, {
    otp_per_request: writtenAmount(list.otp_per_request),
    otp_per_verified: writtenAmount(list.otp_per_verified),
    airtime_commission: writtenAmount(list.airtime_commission),
  })
  const [given, change] = draft
  const body = {
    otp_per_request: amountOrNull(given.otp_per_request),
    otp_per_verified: amountOrNull(given.otp_per_verified),
    airtime_commission: amountOrNull(given.airtime_commission),
  }
  const write = useWrite(() => call('PATCH', `${PRICE_LISTS}/${list.name}`, body), STALE)
  return (
    <FormDialog
      title={t('Change the fees')}
      action={t('Save')}
      write={write}
      draft={draft}
      onDone={() => say(t('The fees are saved.'))}
      onClose={onClose}
    >
      <TextField
        name="otp_per_request"
        label={t('Per requested one-time password')}
        hint={t('Charged beside its message.')}
        optional
        inputMode="decimal"
        value={given.otp_per_request}
        onChange={(otp_per_request) => change({ otp_per_request })}
      />
      <TextField
        name="otp_per_verified"
        label={t('Per verified one-time password')}
        hint={t('Charged with the request, and refunded once it has ended without being verified.')}
        optional
        inputMode="decimal"
        value={given.otp_per_verified}
        onChange={(otp_per_verified) => change({ otp_per_verified })}
      />
      <TextField
        name="airtime_commission"
        label={t('Commission on airtime')}
        hint={t('In percent of the amount. Negative: a discount.')}
        optional
        value={given.airtime_commission}
        onChange={(airtime_commission) => change({ airtime_commission })}
      />
    </FormDialog>
  )
}
