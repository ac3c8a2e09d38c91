import { Type, type Static, AnyName } from '../../../values/schema/type.ts'
import { LedgerEntry } from '../../../billing/schema.ts'
import { ListedOrganisation, ShownKey, ShownOrganisation } from '../../../organisations/schema.ts'
import { AssertionOptions, Factors, Passkey, RegistrationOptions } from '../../../users/login/schema.ts'
import { AuditEntry, LinkAnswer, MAX_VIEWS, OpenSession, SavedView, User } from '../../../users/schema.ts'
import type { Right } from '../../../users/roles.ts'
import { ListMeta, onePage, Pagination } from '../../../values/page.ts'
import { RequestMeta } from '../../shapes.ts'

const timestamp = Type.String({ format: 'date-time' })
const meta = RequestMeta

/** A problem the operator should fix, and the configuration key that fixes it. */
const Notice = Type.Object({ key: Type.String(), message: Type.String() })
export type Notice = Static<typeof Notice>

/** What the console loads first. */
export const Session = Type.Object({
  user: User,
  csrf_token: Type.String(),
  organisations: Type.Array(ShownOrganisation),
  /** The user's right by area: `change`, `read` or `none`. */
  rights: Type.Record(AnyName, Type.Unsafe<Right>({ type: 'string', enum: ['change', 'read', 'none'] })),
  /** Whether users log in with passwords. */
  passwords: Type.Boolean(),
  /** No real carrier is configured: messages go to the simulator. */
  sandbox: Type.Boolean(),
  public_url: Type.String(),
  /** A tracked link of the length that all of them have, for previews. */
  short_link: Type.String(),
  version: Type.String(),
  /** Empty unless the user is an operator. */
  notices: Type.Array(Notice),
})
export type Session = Static<typeof Session>

/** Login methods, for the login page. */
export const SignInWays = Type.Object({
  password: Type.Boolean(),
  providers: Type.Array(Type.Object({ name: Type.String(), label: Type.String() })),
  /** A provider identified the user, and one of these second factors is missing; empty otherwise. */
  owes: Factors,
  /** Why the last sign-in by a provider failed in this browser. */
  sentence: Type.Optional(Type.String()),
})
export type SignInWays = Static<typeof SignInWays>

/** Purpose of a one-time link, and its organisation. */
export const Welcome = Type.Object({ ...LinkAnswer.properties, organisation_name: Type.Optional(Type.String()) })
export type Welcome = Static<typeof Welcome>

export const UserAnswer = Type.Object({ user: User })
export type UserAnswer = Static<typeof UserAnswer>

/** Gangan sends no email: the inviting user passes on the link. */
export const Invited = Type.Object({ user: User, invite_url: Type.String(), expires_datetime: timestamp })
export type Invited = Static<typeof Invited>

/** Empty if earlier ones are left. */
export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const PasskeyAnswer = Type.Object({ options: AssertionOptions })
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

export const PasskeyProposal = Type.Object({ options: RegistrationOptions })
export type PasskeyProposal = Static<typeof PasskeyProposal>

export const NewPasskey = Type.Object({ passkey: Passkey, ...RecoveryCodes.properties })
export type NewPasskey = Static<typeof NewPasskey>

export const Passkeys = Type.Object({ passkeys: Type.Array(Passkey) })
export type Passkeys = Static<typeof Passkeys>

export const OpenSessions = Type.Object({ sessions: Type.Array(OpenSession) })
export type OpenSessions = Static<typeof OpenSessions>

export const SavedViews = Type.Object({ views: Type.Array(SavedView, { maxItems: MAX_VIEWS }) })
export type SavedViews = Static<typeof SavedViews>

export const UserPage = Type.Object({ users: onePage(User), meta: ListMeta })
export type UserPage = Static<typeof UserPage>

export const AuditPage = Type.Object({ entries: onePage(AuditEntry), meta: ListMeta })
export type AuditPage = Static<typeof AuditPage>

/** Without pagination for users of one organisation. */
export const Organisations = Type.Object({
  organisations: onePage(ListedOrganisation),
  meta: Type.Object({ ...meta.properties, pagination: Type.Optional(Pagination) }),
})
export type Organisations = Static<typeof Organisations>

export const OrganisationAnswer = Type.Object({ organisation: ShownOrganisation })
export type OrganisationAnswer = Static<typeof OrganisationAnswer>

export const ToppedUp = Type.Object({ balance: Type.Number(), currency: Type.String(), entry: LedgerEntry, meta })
export type ToppedUp = Static<typeof ToppedUp>

export const Keys = Type.Object({ keys: Type.Array(ShownKey), meta })
export type Keys = Static<typeof Keys>
