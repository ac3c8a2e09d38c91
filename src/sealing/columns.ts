import { placeOf as webhookPlace } from '../callbacks/signing/secrets.ts'
import { placeOf as hookPlace } from '../hooks/hooks.ts'
import { boundTo as entrySeal } from '../live-config/entries.ts'
import { contextOf } from '../organisations/callback-secrets.ts'
import { testNumberSeal } from '../otp/settings.ts'
import { sealOf as erasureSeal } from '../people/erase.ts'
import { boundTo as sessionSeal } from '../sign-in/sealed.ts'
import { boundTo as totpSeal } from '../users/login/two-factor.ts'

/** A column with sealed values that last: a rotation of the pepper seals them again. */
export type SealedColumn = {
  /** Names it to the operator. */
  says: string
  table: string
  /** The primary key. On a cluster it begins with the organisation. */
  key: Readonly<Record<string, 'uuid' | 'text'>>
  column: string
  type: 'text' | 'text[]' | 'bytea'
  /** What the values of a row are bound to. */
  boundTo: (...key: string[]) => string
}

/** Texts and tokens of one-time passwords are not among them: they are removed when they are sent, within two hours. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    says: 'callback secrets of organisations',
    table: 'organisations',
    key: { id: 'uuid' },
    column: 'callback_secrets',
    type: 'text[]',
    boundTo: (id = '') => contextOf(id),
  },
  {
    says: 'secrets of webhooks',
    table: 'webhooks',
    key: { organisation_id: 'uuid', id: 'uuid' },
    column: 'secret',
    type: 'text',
    boundTo: (organisation_id = '', id = '') => webhookPlace(organisation_id, id),
  },
  {
    says: 'former secrets of webhooks',
    table: 'webhooks',
    key: { organisation_id: 'uuid', id: 'uuid' },
    column: 'old_secret',
    type: 'text',
    boundTo: (organisation_id = '', id = '') => webhookPlace(organisation_id, id),
  },
  {
    says: 'secrets of hooks',
    table: 'hooks',
    key: { name: 'text' },
    column: 'secret',
    type: 'text',
    boundTo: (name = '') => hookPlace(name),
  },
  {
    says: 'authenticators of users',
    table: 'users',
    key: { id: 'uuid' },
    column: 'totp_secret',
    type: 'bytea',
    boundTo: (id = '') => totpSeal(id),
  },
  {
    says: 'sessions of identity providers',
    table: 'provider_sessions',
    key: { session_id: 'uuid' },
    column: 'tokens',
    type: 'bytea',
    boundTo: (session_id = '') => sessionSeal(session_id),
  },
  {
    says: 'tokens of OTP test numbers',
    table: 'otp_test_numbers',
    key: { organisation_id: 'uuid', recipient: 'text' },
    column: 'sealed_token',
    type: 'bytea',
    boundTo: (organisation_id = '', recipient = '') => testNumberSeal(organisation_id, recipient),
  },
  {
    says: 'numbers that are being erased',
    table: 'erasures',
    key: { organisation_id: 'uuid', id: 'uuid' },
    column: 'sealed_number',
    type: 'bytea',
    boundTo: (_, id = '') => erasureSeal(id),
  },
  {
    says: 'secrets of carriers',
    table: 'configured_entries',
    key: { kind: 'text', name: 'text' },
    column: 'secrets',
    type: 'text',
    boundTo: (kind = '', name = '') => entrySeal(kind, name),
  },
]
