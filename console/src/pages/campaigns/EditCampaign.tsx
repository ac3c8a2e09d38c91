import { useState } from 'react'
import { call } from '../../api.ts'
import { useOnce, useRead, useWrite } from '../../read.ts'
import { go, useRoute } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { finished } from '../contacts/contacts.ts'
import { readFilters } from './address-filters.ts'
import { useAudience } from './audience.ts'
import { useAutosave, type Saving } from './autosave.ts'
import { CAMPAIGNS, draftOf, type CampaignDraft, type CampaignWithOutcomes } from './campaigns.ts'
import { ComposerPreview } from './ComposerPreview.tsx'
import { TextsPart } from './TextsPart.tsx'
import { WhenPart } from './WhenPart.tsx'
import { WhoPart } from './WhoPart.tsx'
import '../send/send.css'

/**
 * Asks for the name and creates the campaign, so that everything after that is saved. With `?smartlist=…&filters=…`, the
 * recipients are those selected under Contacts, including filters.
 */
export function NewCampaign() {
  const { query } = useRoute()
  const [name, setName] = useState('')
  const given = query.smartlist ? { smartlist_id: query.smartlist, filters: finished(readFilters(query.filters)) } : {}
  const create = useOnce(
    t('New campaign'),
    (_: void, once) => call('POST', CAMPAIGNS, { is_incomplete: true, name: name.trim(), ...given }, once),
    [CAMPAIGNS],
  )
  const nameless = name.trim() === ''
  return (
    <Page title={t('New campaign')} lead={t('Everything you enter is saved: leave at any time and continue later.')}>
      <Form
        error={create.error}
        onSubmit={() =>
          create.mutate(undefined, { onSuccess: ({ id }) => go(`/campaigns/${id}/edit`, { replace: true }) })
        }
        label={t('New campaign')}
      >
        <Section>
          <TextField
            name="name"
            label={t('Name of the campaign')}
            maxLength={100}
            hint={t('Recipients do not see it.')}
            autoFocus
            value={name}
            onChange={setName}
          />
          <FormActions>
            <Button
              look="main"
              type="submit"
              busy={create.isPending}
              blocked={nameless ? t('Enter a name first.') : undefined}
            >
              {t('Continue')}
            </Button>
          </FormActions>
        </Section>
      </Form>
    </Page>
  )
}

export function EditCampaign({ id }: { id: string }) {
  // What was read before an earlier visit ended is not what the form may begin with.
  const found = useRead(`${CAMPAIGNS}/${id}`, { anew: true })
  if (!found.data || !found.isFetchedAfterMount) {
    return <Page title={t('Edit the campaign')}>{found.error ? <Trouble error={found.error} /> : <Loading />}</Page>
  }
  return <Editor key={id} campaign={found.data} />
}

function Editor({ campaign: { id, uploaded, ...campaign } }: { campaign: CampaignWithOutcomes }) {
  const [first] = useState(() => draftOf({ id, uploaded, ...campaign }))
  const { draft, change, saving, save, finish, held, keep, discard } = useAutosave(id, first)
  const audience = useAudience(id, draft, uploaded)
  const check = useWrite(async () => {
    await finish()
    await call('POST', `${CAMPAIGNS}/${id}/estimate`)
  }, [CAMPAIGNS])
  const missing = whatIsMissing(draft, uploaded)
  return (
    <Page
      title={draft.name || t('Edit the campaign')}
      lead={t('Nothing is sent or charged yet: the next page shows the recipients and the cost.')}
      actions={<SavingState saving={saving} />}
    >
      <div className="send">
        <Form
          error={check.error}
          onSubmit={() => check.mutate(undefined, { onSuccess: () => go(`/campaigns/${id}`) })}
          label={t('Edit the campaign')}
        >
          <div className="stack campaign-parts">
            {held && (
              <div className="restored" role="alert">
                <p>{t('What you wrote here before is restored. The campaign was changed elsewhere since.')}</p>
                <Button onClick={keep}>{t('Keep what I wrote')}</Button>
                <Button onClick={discard}>{t('Use the saved campaign')}</Button>
              </div>
            )}
            <Section title={t('Name')}>
              <TextField
                name="name"
                label={t('Name of the campaign')}
                maxLength={100}
                hint={t('Recipients do not see it.')}
                value={draft.name}
                onChange={(name) => change({ name })}
              />
            </Section>
            <Section title={t('Recipients')}>
              <WhoPart draft={draft} change={change} id={id} uploaded={uploaded} save={save} count={audience.count} />
            </Section>
            <Section title={t('Message')}>
              <TextsPart draft={draft} change={change} columns={audience.columns} />
            </Section>
            <Section title={t('Schedule||of a campaign')}>
              <WhenPart draft={draft} change={change} />
            </Section>
            <FormActions>
              <Button look="main" type="submit" busy={check.isPending} blocked={missing}>
                {t('Check recipients and cost')}
              </Button>
            </FormActions>
          </div>
        </Form>
        <ComposerPreview draft={draft} audience={audience} />
      </div>
    </Page>
  )
}

/** Why the campaign cannot be checked yet. */
function whatIsMissing(draft: CampaignDraft, uploaded: number): string | undefined {
  if (draft.audience === 'smartlist' && draft.smartlist_id === '') return t('Choose a smartlist first.')
  if (draft.audience === 'file' && uploaded === 0) return t('Upload a file or enter numbers first.')
  const empty = draft.texts.some(({ content, template_id }) => content.trim() === '' && template_id === '')
  return empty ? t('Write the text first.') : undefined
}

function SavingState({ saving: { state, fault } }: { saving: Saving }) {
  return (
    <span className="soft small" role="status">
      {fault !== undefined
        ? t('Not saved yet, kept in this browser: {reason}', { reason: fault })
        : state === 'saved'
          ? t('All changes saved')
          : t('Saving…')}
    </span>
  )
}
