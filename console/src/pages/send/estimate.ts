import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Answers } from '../../answers.ts'
import { call, type ApiError } from '../../api.ts'

/** With what it would cost in GSM characters only. */
export type Estimate = Answers['POST /sms/estimate']['meta']['estimate'] & { gsm_charge: number }

const TYPING_MS = 400

/** What the service would charge for it, asked once the typing pauses. A draft it would refuse has no estimate. */
export function useEstimate(
  body: object,
  complete: boolean,
): { estimate: Estimate | undefined; error: ApiError | null } {
  const asked = JSON.stringify(body)
  const settled = useSettled(asked)
  const found = useQuery<Estimate, ApiError>({
    queryKey: ['estimate', settled],
    queryFn: async ({ signal }) => {
      const { meta, gsm } = await call('POST', '/sms/estimate', settled, { signal })
      return { ...meta.estimate, gsm_charge: gsm.charge }
    },
    enabled: complete && settled === asked,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const current = complete && !found.error
  return { estimate: current ? found.data : undefined, error: complete ? found.error : null }
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [value])
  return settled
}
