import type { PageProps } from '../../page-props.ts'
import { MessageList } from './MessageList.tsx'
import { MessageView } from './MessageView.tsx'
import { Received } from './Received.tsx'
import './messages.css'

/**
 * `#/messages` is the list, `#/messages/received` what people wrote, `#/messages/<id>` one message and
 * `#/messages/<id>/<number>` what became of one recipient.
 */
export default function Messages({ rest: [id, recipient] }: PageProps) {
  if (id === 'received') return <Received />
  return id === undefined ? <MessageList /> : <MessageView id={id} recipient={recipient} />
}
