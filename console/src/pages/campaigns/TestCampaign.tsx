import { useState } from 'react'
import { call } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CAMPAIGNS, type CampaignWithOutcomes } from './campaigns.ts'

/** The text on one's own phone, before others get it. */
export function TestCampaign({ campaign, onClose }: { campaign: CampaignWithOutcomes; onClose: () => void }) {
  const say = useSay()
  const [recipients, setRecipients] = useState('')
  const [text, setText] = useState('1')
  const send = useOnce(
    t('Test message of the campaign'),
    (_: void, once) => call('POST', `${CAMPAIGNS}/${campaign.id}/test`, { recipients, text: Number(text) }, once),
    ['/sms', '/console/api', '/sandbox', '/balance'],
  )
  function done() {
    onClose()
    say(t('Test sent.'))
  }
  return (
    <Dialog title={t('Send a test to yourself')} onClose={onClose}>
      <Form error={send.error} onSubmit={() => send.mutate(undefined, { onSuccess: done })}>
        <TextField
          name="recipients"
          label={t('Your number')}
          hint={t('With the values of the first recipient of the list. It is charged like any other message.')}
          value={recipients}
          onChange={setRecipients}
        />
        {campaign.texts.length > 1 && (
          <SelectField
            name="text"
            label={t('Text to test')}
            value={text}
            onChange={setText}
            choices={campaign.texts.map((_, n) => ({ value: String(n + 1), label: t('Text {n}', { n: n + 1 }) }))}
          />
        )}
        <FormActions>
          <Button look="main" type="submit" busy={send.isPending}>
            {t('Send the test')}
          </Button>
          <Button onClick={onClose}>{t('Close')}</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
