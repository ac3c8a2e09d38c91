import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Answers } from '../../answers.ts'
import { call, type ApiError } from '../../api.ts'
import { useSettled } from '../../settled.ts'

/** With what it would cost in GSM characters only. */
export type Estimate = Answers['POST /sms/estimate']['meta']['estimate'] & {
  gsm_charge: number
  is_covered: boolean
  /** The text as sent, with its short links; the longest, if there are several. Absent while the draft is estimated again. */
  text: string | undefined
}

const TYPING_MS = 400

/** What the service would charge for it, asked once the typing pauses. A draft it would refuse has no estimate. */
export function useEstimate(
  body: object,
  complete: boolean,
): { estimate: Estimate | undefined; error: ApiError | null } {
  const asked = JSON.stringify(body)
  const settled = useSettled(asked, TYPING_MS)
  const found = useQuery<Estimate, ApiError>({
    queryKey: ['estimate', settled],
    queryFn: async ({ signal }) => {
      const { meta, gsm, texts, is_covered } = await call('POST', '/sms/estimate', settled, { signal })
      return { ...meta.estimate, gsm_charge: gsm.charge, is_covered, text: texts[0]?.text }
    },
    enabled: complete && settled === asked,
    retry: false,
    placeholderData: keepPreviousData,
  })
  if (!complete || found.error) return { estimate: undefined, error: complete ? found.error : null }
  const is_previous = found.isPlaceholderData || settled !== asked
  const estimate = found.data && is_previous ? { ...found.data, text: undefined } : found.data
  return { estimate, error: null }
}
