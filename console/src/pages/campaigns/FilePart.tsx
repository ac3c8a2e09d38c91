import { useState } from 'react'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { FileField } from '../../ui/FileField.tsx'
import { CAMPAIGNS } from './campaigns.ts'
import { readFile, type FileRead, type Problem } from './read-file.ts'
import { uploadFile, withHeader } from './upload.ts'

const NOTHING = { csv: '' }
const MOST_PROBLEMS = 5

/** A file, uploaded as soon as it is chosen, or numbers that are typed. `save` saves the campaign before. */
export function FilePart({ id, uploaded, save }: { id: string; uploaded: number; save: () => Promise<void> }) {
  const { organisation } = useSession()
  const [typed, change, forget] = useDraft(`campaign.${id}.numbers`, NOTHING)
  const [read, setRead] = useState<FileRead>()
  const [done, setDone] = useState(0)
  const upload = useWrite(
    async (csv: string) => {
      setDone(0)
      setRead(readFile(withHeader(csv), organisation.default_country))
      await save()
      await uploadFile({ id, organisation_id: organisation.id }, csv, setDone)
      if (csv === typed.csv) forget()
    },
    [CAMPAIGNS],
  )
  async function choose(file: File) {
    upload.mutate(await file.text())
  }
  return (
    <>
      <FileField
        name="csv"
        hint={t(
          'CSV with column names in the first row. One column holds the phone numbers; the others fill {{placeholders}}.',
        )}
        accept=".csv,.txt,text/csv,text/plain"
        onChoose={(file) => void choose(file)}
      />
      <AreaField
        name="recipients"
        label={t('Or numbers')}
        optional
        rows={3}
        spellCheck={false}
        placeholder={'08031234567\n08051234567'}
        hint={t('One per line.')}
        value={typed.csv}
        onChange={(csv) => change({ csv })}
      />
      {typed.csv.trim() !== '' && (
        <div className="row">
          <Button busy={upload.isPending} onClick={() => upload.mutate(typed.csv)}>
            {t('Use these numbers')}
          </Button>
        </div>
      )}
      <div className="campaign-file" role="status">
        {upload.isPending && <p>{plural(done, '{n} uploaded||one recipient', '{n} uploaded||recipients')}</p>}
        {upload.error && <p className="campaign-notice">{upload.error.faults[0]?.message ?? upload.error.message}</p>}
        {read && !upload.isPending && <Summary read={read} />}
        {!read && uploaded > 0 && (
          <p>{t('{n} are uploaded. Uploading again replaces them.', { n: number(uploaded) })}</p>
        )}
      </div>
    </>
  )
}

/** What was found in the file. */
function Summary({ read: { rows, columns, numbers, problems, examined } }: { read: FileRead }) {
  const others = columns.filter((name) => name !== numbers)
  return (
    <>
      <p>
        {plural(rows, '{n} row. Numbers from the column “{column}”.', '{n} rows. Numbers from the column “{column}”.', {
          column: numbers,
        })}{' '}
        {others.length > 0 && t('Values: {columns}.', { columns: others.join(', ') })}
      </p>
      {problems.length === 0 ? (
        <p>
          {examined < rows ? t('No problems in the first {n} rows.', { n: number(examined) }) : t('No problems found.')}
        </p>
      ) : (
        <>
          <p>{plural(problems.length, '{n} row is left out:', '{n} rows are left out:')}</p>
          <ul>
            {problems.slice(0, MOST_PROBLEMS).map((problem) => (
              <li key={problem.line}>{inWords(problem)}</li>
            ))}
            {problems.length > MOST_PROBLEMS && (
              <li>{t('and {n} more', { n: number(problems.length - MOST_PROBLEMS) })}</li>
            )}
          </ul>
        </>
      )}
    </>
  )
}

function inWords({ line, value, kind }: Problem): string {
  if (kind === 'missing') return t('Line {line}: no number', { line })
  if (kind === 'twice') return t('Line {line}: {value} occurs twice', { line, value })
  return t('Line {line}: {value} is not a phone number', { line, value })
}
