import { t } from '../../text/text.ts'

/** What each role may, in a sentence. What exactly, the service decides: `src/users/roles.ts`. */
export const ROLES = [
  { value: 'viewer', label: t('Viewer'), may: t('Read-only access to everything except keys and the audit log.') },
  { value: 'finance', label: t('Finance'), may: t('Views the ledger, messages and purchases; no access to contacts.') },
  { value: 'marketer', label: t('Marketer'), may: t('Sends messages and keeps contacts, templates and opt-outs.') },
  {
    value: 'developer',
    label: t('Developer'),
    may: t('Manages keys and webhooks, sends messages, and changes settings.'),
  },
  { value: 'admin', label: t('Admin'), may: t('Full access, and manages all users except owners.') },
  { value: 'owner', label: t('Owner'), may: t('Full access, and manages all users.') },
]

export function roleName(role: string): string {
  return ROLES.find(({ value }) => value === role)?.label ?? t('Operator||of the installation')
}
