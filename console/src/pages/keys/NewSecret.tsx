import { ShowOnce } from '../../ui/FormDialog.tsx'

export function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnce title="The new key" text={secret} onClose={onClose}>
      Copy it now: it is not shown again. It stands in the Authorization header of every call, alone.
    </ShowOnce>
  )
}
