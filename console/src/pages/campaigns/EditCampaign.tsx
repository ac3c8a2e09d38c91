import { useState } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { go, useRoute } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import type { Filter } from '../contacts/contacts.ts'
import { bodyOf, CAMPAIGNS, draftOf, EMPTY, type CampaignDraft } from './campaigns.ts'
import { TextsPart } from './TextsPart.tsx'
import { uploadFile } from './upload.ts'
import { WhenPart } from './WhenPart.tsx'
import { WhoPart } from './WhoPart.tsx'

/** With `?smartlist=…&filters=…` the people are those who were looked at under Contacts, filters and all. */
export function NewCampaign() {
  const { query } = useRoute()
  const given = query.smartlist ? { smartlist_id: query.smartlist, filters: readFilters(query.filters) } : {}
  return <Editor title="New campaign" first={{ ...EMPTY, ...given }} />
}

export function EditCampaign({ id }: { id: string }) {
  const found = useRead(`${CAMPAIGNS}/${id}`)
  if (!found.data) {
    return <Page title="Edit the campaign">{found.error ? <Trouble error={found.error} /> : <Loading />}</Page>
  }
  return <Editor title="Edit the campaign" first={draftOf(found.data)} id={id} uploaded={found.data.uploaded} />
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
    <Page title={title} lead="Nothing is sent or charged yet: the next page shows who gets it and what it costs.">
      <Form
        error={save.error}
        onSubmit={() => save.mutate(undefined, { onSuccess: (own) => go(`/campaigns/${own}`) })}
        label={title}
      >
        <div className="stack">
          <Section title="Who">
            <WhoPart draft={draft} change={change} uploaded={uploaded} />
          </Section>
          <Section title="What">
            <TextsPart draft={draft} change={change} />
          </Section>
          <Section title="When">
            <WhenPart draft={draft} change={change} />
          </Section>
          <Section title="Name">
            <TextField
              name="name"
              label="Name of the campaign"
              optional
              maxLength={100}
              hint="Only you see it."
              value={draft.name}
              onChange={(name) => change({ name })}
            />
          </Section>
          <FormActions>
            <Button look="main" type="submit" busy={save.isPending} disabled={!has_people}>
              Check people and cost
            </Button>
            {save.isPending && done !== undefined && (
              <span className="soft small" role="status">
                {done.toLocaleString('en')} uploaded
              </span>
            )}
          </FormActions>
        </div>
      </Form>
    </Page>
  )
}

/** From the address: anybody may have written it. */
function readFilters(text: string | undefined): Filter[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(given) ? given.filter(isFilter) : []
  } catch {
    return []
  }
}

function isFilter(given: unknown): given is Filter {
  if (typeof given !== 'object' || given === null) return false
  return 'column_id' in given && 'operator' in given && typeof given.operator === 'string'
}
