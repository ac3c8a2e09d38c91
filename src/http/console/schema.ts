import type { Static } from 'typebox'
import { IssuedKey, RotatedKey } from '../../organisations/schema.ts'
import { TotpProposal } from '../../users/schema.ts'
import { CsvFile, Nothing } from '../schema.ts'
import { FoundMessages, MessageAnswer, OtpPage, TimelineAnswer } from './messages/schema.ts'
import {
  BindAnswer,
  BindsAnswer,
  CarriersAnswer,
  DecidedSender,
  GuardAnswer,
  PhonesAnswer,
  ReviewAnswer,
  SendersAnswer,
  SettledAnswer,
} from './operator/schema.ts'
import { ChecklistAnswer, Overview } from './overview/schema.ts'
import {
  AuditPage,
  Invited,
  Keys,
  OpenSessions,
  OrganisationAnswer,
  Organisations,
  RecoveryCodes,
  Session,
  SignInWays,
  ToppedUp,
  UserAnswer,
  UserPage,
  Welcome,
} from './people/schema.ts'

/** What the console's own operations answer. Its pages take their types from here; a test asks each of them. */
export const CONSOLE_ANSWERS = {
  'GET /console/api/airtime/review': ReviewAnswer,
  'POST /console/api/airtime/review/{id}': SettledAnswer,
  'GET /console/api/audit': AuditPage,
  'GET /console/api/carriers': CarriersAnswer,
  'GET /console/api/carriers/binds': BindsAnswer,
  'GET /console/api/carriers/{carrier}/binds/{bind}': BindAnswer,
  'GET /console/api/checklist': ChecklistAnswer,
  'POST /console/api/enter': Session,
  'GET /console/api/keys': Keys,
  'POST /console/api/keys': IssuedKey,
  'DELETE /console/api/keys/{id}': Nothing,
  'POST /console/api/keys/{id}/rotate': RotatedKey,
  'POST /console/api/login': Session,
  'POST /console/api/logout': Nothing,
  'PATCH /console/api/me': UserAnswer,
  'POST /console/api/me/password': Session,
  'GET /console/api/me/sessions': OpenSessions,
  'DELETE /console/api/me/sessions': Nothing,
  'DELETE /console/api/me/sessions/{id}': Nothing,
  'POST /console/api/me/totp': TotpProposal,
  'DELETE /console/api/me/totp': Nothing,
  'POST /console/api/me/totp/confirm': RecoveryCodes,
  'GET /console/api/messages': FoundMessages,
  'GET /console/api/messages.csv': CsvFile,
  'GET /console/api/messages/{id}': MessageAnswer,
  'GET /console/api/messages/{id}/timeline': TimelineAnswer,
  'GET /console/api/organisations': Organisations,
  'POST /console/api/organisations': OrganisationAnswer,
  'POST /console/api/organisations/{id}/suspension': OrganisationAnswer,
  'POST /console/api/organisations/{id}/top-ups': ToppedUp,
  'GET /console/api/otp-guard': GuardAnswer,
  'GET /console/api/otps': OtpPage,
  'GET /console/api/overview': Overview,
  'GET /console/api/phones': PhonesAnswer,
  'POST /console/api/phones/{carrier}/token': PhonesAnswer,
  'DELETE /console/api/phones/{carrier}/{phone}': Nothing,
  'GET /console/api/senders': SendersAnswer,
  'POST /console/api/senders/{id}': DecidedSender,
  'GET /console/api/session': Session,
  'GET /console/api/sign-in': SignInWays,
  'POST /console/api/sign-in/code': Session,
  'GET /console/api/users': UserPage,
  'POST /console/api/users': Invited,
  'PATCH /console/api/users/{id}': UserAnswer,
  'POST /console/api/users/{id}/invite': Invited,
  'POST /console/api/welcome': Session,
  'POST /console/api/welcome/check': Welcome,
} as const
export type ConsoleAnswers = {
  [Operation in keyof typeof CONSOLE_ANSWERS]: Static<(typeof CONSOLE_ANSWERS)[Operation]>
}
