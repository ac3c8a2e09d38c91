import { useState } from 'react'
import { t } from '../text/text.ts'
import { AttachButton } from './AttachButton.tsx'
import { Field } from './Form.tsx'

/** Chooses one file. The button of the browser would be in the language of the browser. */
export function FileField({
  name,
  hint,
  accept,
  onChoose,
}: {
  name: string
  hint: string
  /** As the attribute of an input. */
  accept: string
  onChoose: (file: File) => void
}) {
  const [chosen, setChosen] = useState<string>()
  function attach(file: File) {
    setChosen(file.name)
    onChoose(file)
  }
  return (
    <Field name={name} label={t('File')} hint={hint}>
      {(control) => (
        <div className="row">
          <AttachButton
            attachment={{ attach }}
            label={chosen === undefined ? t('Choose a file') : t('Choose another file')}
            control={{ ...control, accept }}
          />
          <span role="status" className="file-chosen">
            {chosen}
          </span>
        </div>
      )}
    </Field>
  )
}
