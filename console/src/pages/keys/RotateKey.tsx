import type { ReactNode } from 'react'
import type { ShownKey } from '../../api-types.ts'
import { call } from '../../api.ts'
import { Rich, t } from '../../text/text.ts'
import { Rotate } from '../../ui/FormDialog.tsx'
import { KEYS } from './keys.ts'
import { NewSecret } from './NewSecret.tsx'

export function RotateKey({ apiKey, onClose }: { apiKey: ShownKey; onClose: () => void }) {
  return (
    <Rotate
      title={t('Rotate a key')}
      action={t('Rotate')}
      ask={(overlap_hours) => call('POST', `${KEYS}/${apiKey.id}/rotate`, { overlap_hours })}
      longest_h={720}
      stale={KEYS}
      show={(secret) => <NewSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      <Rich
        text="A new key replaces <mono>{hint}</mono>, with the same name and permissions."
        values={{ hint: apiKey.hint }}
        mono={(inner: ReactNode) => <span className="mono">{inner}</span>}
      />
    </Rotate>
  )
}
