import { useState } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { go, useRoute } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { groupsOf, type Filter, type Group } from '../contacts/contacts.ts'
import { bodyOf, CAMPAIGNS, draftOf, EMPTY, type CampaignDraft } from './campaigns.ts'
import { TextsPart } from './TextsPart.tsx'
import { uploadFile } from './upload.ts'
import { WhenPart } from './WhenPart.tsx'
import { WhoPart } from './WhoPart.tsx'

/** With `?smartlist=…&filters=…`, the recipients are those selected under Contacts, including filters. */
export function NewCampaign() {
  const { query } = useRoute()
  const given = query.smartlist ? { smartlist_id: query.smartlist, filters: readFilters(query.filters) } : {}
  return <Editor title={t('New campaign')} first={{ ...EMPTY, ...given }} />
}

export function EditCampaign({ id }: { id: string }) {
  const found = useRead(`${CAMPAIGNS}/${id}`)
  if (!found.data) {
    return <Page title={t('Edit the campaign')}>{found.error ? <Trouble error={found.error} /> : <Loading />}</Page>
  }
  return <Editor title={t('Edit the campaign')} first={draftOf(found.data)} id={id} uploaded={found.data.uploaded} />
}

function Editor({
  title,
  first,
  id,
  uploaded = 0,
}: {
  title: string
  first: CampaignDraft
  id?: string
  uploaded?: number
}) {
  const [draft, setDraft] = useState(first)
  const [known, setKnown] = useState(id)
  const [done, setDone] = useState<number>()
  const change = (part: Partial<CampaignDraft>) => setDraft((before) => ({ ...before, ...part }))
  const save = useWrite(async () => {
    const body = bodyOf(draft)
    const { id: own } = known ? await call('PATCH', `${CAMPAIGNS}/${known}`, body) : await call('POST', CAMPAIGNS, body)
    setKnown(own)
    if (draft.audience === 'file' && draft.csv !== '') await uploadFile(own, draft.csv, setDone)
    await call('POST', `${CAMPAIGNS}/${own}/estimate`)
    return own
  }, [CAMPAIGNS])
  const has_people = draft.audience === 'smartlist' ? draft.smartlist_id !== '' : draft.csv !== '' || uploaded > 0
  return (
    <Page title={title} lead={t('Nothing is sent or charged yet: the next page shows the recipients and the cost.')}>
      <Form
        error={save.error}
        onSubmit={() => save.mutate(undefined, { onSuccess: (own) => go(`/campaigns/${own}`) })}
        label={title}
      >
        <div className="stack">
          <Section title={t('Who||gets a campaign')}>
            <WhoPart draft={draft} change={change} uploaded={uploaded} />
          </Section>
          <Section title={t('What||a campaign says')}>
            <TextsPart draft={draft} change={change} />
          </Section>
          <Section title={t('When||a campaign leaves')}>
            <WhenPart draft={draft} change={change} />
          </Section>
          <Section title={t('Name')}>
            <TextField
              name="name"
              label={t('Name of the campaign')}
              optional
              maxLength={100}
              hint={t('Only you see it.')}
              value={draft.name}
              onChange={(name) => change({ name })}
            />
          </Section>
          <FormActions>
            <Button look="main" type="submit" busy={save.isPending} disabled={!has_people}>
              {t('Check recipients and cost')}
            </Button>
            {save.isPending && done !== undefined && (
              <span className="soft small" role="status">
                {plural(done, '{n} uploaded||one recipient', '{n} uploaded||recipients')}
              </span>
            )}
          </FormActions>
        </div>
      </Form>
    </Page>
  )
}

/** From the address, so it is validated. */
function readFilters(text: string | undefined): Group[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]')
    return groupsOf(Array.isArray(given) ? given.filter(isEither) : [])
  } catch {
    return []
  }
}

function isEither(given: unknown): given is Filter | { any: Filter[] } {
  return isFilter(given) || isGroup(given)
}

function isGroup(given: unknown): given is { any: Filter[] } {
  if (typeof given !== 'object' || given === null || !('any' in given)) return false
  return Array.isArray(given.any) && given.any.length > 0 && given.any.every(isFilter)
}

function isFilter(given: unknown): given is Filter {
  if (typeof given !== 'object' || given === null) return false
  if (!('column_id' in given) || !('operator' in given)) return false
  return typeof given.column_id === 'string' && typeof given.operator === 'string'
}
