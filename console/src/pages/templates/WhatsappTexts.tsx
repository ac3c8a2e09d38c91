import { t } from '../../text/text.ts'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { HeaderSample } from './HeaderSample.tsx'
import { HEADERS, isNamed, parametersOf, type Part } from './whatsapp.ts'

/** Header, text and footer, with a sample for each parameter. Fields have the names of the API. */
export function WhatsappTexts({ draft, change }: Part) {
  const { header, header_value, header_sample, body, samples, footer } = draft
  const at = header === 'none' ? 0 : 1
  const suffix = isNamed(draft) ? '_named_params' : ''
  const [header_parameter] = header === 'text' ? parametersOf(header_value) : []
  return (
    <>
      <SelectField
        name="header"
        label={t('Header')}
        value={header}
        onChange={(next) =>
          change({
            header: HEADERS.find(({ value }) => value === next)?.value ?? 'none',
            header_value: '',
            header_file: '',
            header_filename: '',
          })
        }
        choices={HEADERS}
      />
      {header === 'text' && (
        <TextField
          name="components[0].text"
          label={t('Text of the header')}
          hint={t('Up to 60 characters, with one parameter at most.')}
          value={header_value}
          onChange={(next) => change({ header_value: next })}
        />
      )}
      {header_parameter !== undefined && (
        <TextField
          name={`components[0].example.header_text${suffix}`}
          label={t('Sample for {name} in the header', { name: header_parameter })}
          value={header_sample}
          onChange={(next) => change({ header_sample: next })}
        />
      )}
      {(header === 'image' || header === 'video' || header === 'document') && (
        <HeaderSample key={header} draft={draft} change={change} />
      )}
      <AreaField
        name={`components[${at}].text`}
        label={t('Text')}
        rows={5}
        hint={t(
          'Parameters are numbered, {{1}}, {{2}}, …, or named, such as {{order}}. *bold*, _italic_ and ~strikethrough~ are formatted.',
        )}
        value={body}
        onChange={(next) => change({ body: next })}
      />
      {parametersOf(body).map((name, n) => (
        <TextField
          key={name}
          name={n === 0 ? `components[${at}].example.body_text${suffix}` : `sample ${name}`}
          label={t('Sample for {name}', { name })}
          value={samples[name] ?? ''}
          onChange={(next) => change({ samples: { ...samples, [name]: next } })}
        />
      ))}
      <TextField
        name={`components[${at + 1}].text`}
        label={t('Footer')}
        optional
        value={footer}
        onChange={(next) => change({ footer: next })}
      />
    </>
  )
}
