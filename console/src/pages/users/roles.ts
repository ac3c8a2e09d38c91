import { t } from '../../text/text.ts'

/** What each role may, in a sentence. What exactly, the service decides: `src/users/roles.ts`. */
export const ROLES = [
  { value: 'viewer', label: t('Viewer'), may: t('Looks at everything but keys and the audit, and changes nothing.') },
  { value: 'finance', label: t('Finance'), may: t('Looks at the ledger, messages and purchases; no contacts.') },
  { value: 'marketer', label: t('Marketer'), may: t('Sends messages and keeps contacts, templates and opt-outs.') },
  { value: 'developer', label: t('Developer'), may: t('Makes keys and webhooks, sends, and changes settings.') },
  { value: 'admin', label: t('Admin'), may: t('Does everything, and decides about all people but owners.') },
  { value: 'owner', label: t('Owner'), may: t('Does everything, and decides about everybody.') },
]

export function roleName(role: string): string {
  return ROLES.find(({ value }) => value === role)?.label ?? t('Operator||of the installation')
}
