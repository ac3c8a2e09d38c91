import type { ShownKey } from '../../../../src/organisations/schema.ts'
import { call } from '../../api.ts'
import { Rotate } from '../../ui/FormDialog.tsx'
import { KEYS } from './keys.ts'
import { NewSecret } from './NewSecret.tsx'

export function RotateKey({ apiKey, onClose }: { apiKey: ShownKey; onClose: () => void }) {
  return (
    <Rotate
      title="Rotate a key"
      action="Rotate"
      ask={(overlap_hours) => call('POST', `${KEYS}/${apiKey.id}/rotate`, { overlap_hours })}
      longest_h={720}
      stale={KEYS}
      show={(secret) => <NewSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      A new key takes the place of <span className="mono">{apiKey.hint}</span>, with the same name and rights.
    </Rotate>
  )
}
