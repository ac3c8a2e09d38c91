import { t } from '../text/text.ts'
import { deliveryWords } from './delivery-words.ts'

type Failure = { code?: string | undefined; description?: string | undefined; advice?: string | undefined }

/** Why a delivery ended as it did, and what to do about it: `absent subscriber (027)`, then the advice. */
export function Reason({ code, description, advice }: Failure) {
  const words = description === undefined ? undefined : deliveryWords(description)
  const shown_code = code === undefined || code === '' ? undefined : code
  if (words === undefined && shown_code === undefined && advice === undefined) return <span className="soft">–</span>
  return (
    <span className="reason">
      <span>
        {words ??
          (shown_code === undefined ? t('No reason given') : t('code {code}||of a carrier', { code: shown_code }))}
        {words !== undefined && shown_code !== undefined && <span className="soft small"> {shown_code}</span>}
      </span>
      {advice !== undefined && <span className="reason-advice soft small">{deliveryWords(advice)}</span>}
    </span>
  )
}
