import type { PageProps } from '../../pages.ts'
import { MessageList } from './MessageList.tsx'
import { MessageView } from './MessageView.tsx'
import './messages.css'

/** `#/messages` is the list, `#/messages/<id>` one message, `#/messages/<id>/<number>` what became of one recipient. */
export default function Messages({ rest: [id, recipient] }: PageProps) {
  return id === undefined ? <MessageList /> : <MessageView id={id} recipient={recipient} />
}
