import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/Form.tsx'

export function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="The new key" wide onClose={onClose}>
      <Code text={secret} label="The new key" />
      <p>Copy it now: it is not shown again. It stands in the Authorization header of every call, alone.</p>
      <FormActions>
        <Button look="main" onClick={onClose}>
          I have it
        </Button>
      </FormActions>
    </Dialog>
  )
}
