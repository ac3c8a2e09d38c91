import type { PageProps } from '../../page-props.ts'
import { RequestList } from './RequestList.tsx'
import { RequestView } from './RequestView.tsx'
import './requests.css'

/** `#/requests` is what was called, `#/requests/<request id>` one call with what was said in it. */
export default function Requests({ rest: [request_id] }: PageProps) {
  return request_id === undefined ? <RequestList /> : <RequestView request_id={request_id} />
}
