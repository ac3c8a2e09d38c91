import { t } from '../../text/text.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Form.tsx'
import { AttachButton } from '../../ui/AttachButton.tsx'
import { Attached, useAttachment } from '../../ui/whatsapp/Attachment.tsx'
import type { HeaderKind, Part } from './whatsapp.ts'

/** What Meta reviews a header of this kind with. */
export const SAMPLES: Partial<Record<HeaderKind, { accept: string; limits: string }>> = {
  image: { accept: 'image/jpeg,image/png', limits: t('JPEG or PNG, up to 5 MB.') },
  video: { accept: 'video/mp4', limits: t('MP4, up to 16 MB.') },
  document: { accept: 'application/pdf', limits: t('PDF, up to 100 MB.') },
}

/** The file that Meta reviews the header with: uploaded here, and passed on to Meta when the template is submitted. */
export function HeaderSample({ draft: { header, header_value, header_file, header_filename }, change }: Part) {
  const attachment = useAttachment(({ id, filename }) =>
    change({ header_file: id, header_filename: filename ?? t('File') }),
  )
  const { accept, limits } = SAMPLES[header] ?? {}
  const is_chosen = header_file !== '' && !attachment.busy && attachment.state?.error === undefined
  return (
    <Field
      name="components[0].example.header_media_id"
      label={t('Sample file')}
      hint={`${limits ?? ''} ${t('Meta reviews the template with it, and asks for it again when the template is changed. Each message names its own file.')}`}
      shown={header_filename || (header_value === '' ? '' : t('submitted||a file'))}
    >
      {(control) => (
        <div className="stack">
          <div className="row">
            <AttachButton
              attachment={attachment}
              label={header_file === '' ? t('Choose a file') : t('Choose another file')}
              control={{ ...control, accept }}
            />
          </div>
          {is_chosen ? (
            <p className="file-line" role="status">
              <span className="grow">{header_filename}</span>
              <IconButton
                label={t('Remove the file')}
                icon="close"
                onClick={() => {
                  attachment.remove()
                  change({ header_file: '', header_filename: '' })
                }}
              />
            </p>
          ) : (
            <Attached attachment={attachment} />
          )}
        </div>
      )}
    </Field>
  )
}
