/** What each role may, in a sentence. What exactly, the service decides: `src/users/roles.ts`. */
export const ROLES = [
  { value: 'viewer', label: 'Viewer', may: 'Looks at everything but keys and the audit, and changes nothing.' },
  { value: 'finance', label: 'Finance', may: 'Looks at the ledger, messages and purchases; no contacts.' },
  { value: 'marketer', label: 'Marketer', may: 'Sends messages and keeps contacts, templates and opt-outs.' },
  { value: 'developer', label: 'Developer', may: 'Makes keys and webhooks, sends, and changes settings.' },
  { value: 'admin', label: 'Admin', may: 'Does everything, and decides about all people but owners.' },
  { value: 'owner', label: 'Owner', may: 'Does everything, and decides about everybody.' },
]

export function roleName(role: string): string {
  return ROLES.find(({ value }) => value === role)?.label ?? 'Operator'
}
