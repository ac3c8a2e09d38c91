import { afterAll, expect } from 'vitest'
import { startHandsets } from '../../src/emulators/whatsapp/handsets.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage } from '../support/console.ts'
import { desk, type Desk } from '../support/desk.ts'
import { englishOn } from '../support/english-on.ts'
import { fileOf, PNG } from '../support/files.ts'
import { APP_SECRET, startMetaServer, whatsappAt, type MetaServer } from '../support/meta-server.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const ADA = '2348031234567'

let meta: MetaServer
const at: Desk = desk(
  async () => {
    meta = await startMetaServer()
    return whatsappAt(meta)
  },
  { locale: 'fr-FR', reducedMotion: 'reduce' },
)
afterAll(() => meta?.close())

const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => at.page.getByRole('button', { name, exact: true })

/** Accessible, without errors, and without an English sentence. */
async function isFrench(): Promise<void> {
  await at.calm()
  expect(await englishOn(at.page)).toEqual([])
}

test('a French user makes a template, answers a photo, sends the template once the window is closed, and reads it on a phone', async () => {
  const { service, page } = at
  const handsets = startHandsets(meta, {
    webhook_url: `${service.url}/carriers/whatsapp/meta`,
    app_secret: APP_SECRET,
    fate: () => 'read',
    treat: () => 'take',
    review_ms: 50,
    transit_ms: 1,
  })

  await at.sit(service.id, 'templates')
  await page.getByRole('link', { name: 'Créer un modèle WhatsApp' }).click()
  await dialog().getByLabel('Nom', { exact: true }).fill('expedie')
  await choose(dialog().getByLabel('En-tête'), 'Image')
  const sample = dialog().getByLabel('Fichier d’exemple')
  await sample.setInputFiles({ name: 'vitrine.png', mimeType: 'image/png', buffer: PNG })
  await dialog().locator('.file-line').getByText('vitrine.png').waitFor()
  await dialog().getByRole('figure', { name: 'Aperçu' }).getByRole('img', { name: 'vitrine.png' }).waitFor()
  await isFrench()
  await choose(dialog().getByLabel('En-tête'), 'Texte')
  await dialog().getByLabel('Texte de l’en-tête').fill('Commande {{1}}')
  await dialog().getByLabel('Exemple pour 1 dans l’en-tête').fill('1042')
  await dialog().getByLabel('Texte', { exact: true }).fill('Bonjour {{1}}, votre commande arrive demain.')
  await dialog().getByLabel('Exemple pour 1', { exact: true }).fill('Ada')
  await dialog().getByRole('button', { name: 'Ajouter un bouton' }).click()
  await choose(dialog().getByLabel('Ce qu’il fait'), 'Réponse rapide')
  await dialog().getByLabel('Libellé').fill('Bien reçu')
  await dialog()
    .getByRole('figure', { name: 'Aperçu' })
    .getByText('Bonjour Ada, votre commande arrive demain.')
    .waitFor()
  await isFrench()
  await button('Soumettre à l’examen').click()
  const row = page.getByRole('row', { name: /^expedie/ })
  await row.getByText('approuvé').waitFor()
  await row.getByText('Utilitaire').waitFor()
  await isFrench()

  await handsets.write(ADA, { text: { body: 'Où est ma commande ?' } })
  await openPage(page, service, 'conversations')
  await page.getByText('Où est ma commande ?').click()
  await page.getByText(/^WhatsApp accepte du texte libre jusqu’à/).waitFor()
  await handsets.sendFile(ADA, { bytes: PNG, type: 'image/png', filename: 'photo.png' })
  const thread = page.getByRole('log', { name: 'Messages' })
  await thread.getByRole('img', { name: 'Image' }).waitFor()
  const invoice = { name: 'facture.pdf', mimeType: 'application/pdf', buffer: fileOf('pdf') }
  await page.getByLabel('Fichier à joindre').setInputFiles(invoice)
  await page.getByLabel('Votre réponse').fill('Voici la facture.')
  await isFrench()
  await button('Envoyer').click()
  const answer = thread.locator('.talk', { hasText: 'Voici la facture.' })
  await answer.locator('.ticks.read').waitFor()
  await answer.getByRole('button', { name: 'Enregistrer' }).waitFor()
  await isFrench()

  await service.call('POST', '/templates', {
    name: 'Expédié',
    content: 'Bonjour {{prenom}}, votre commande arrive demain.',
    whatsapp: {
      name: 'expedie',
      language: 'en',
      parameters: ['prenom'],
      header: { text: '{{commande}}' },
      buttons: [{ index: 0, payload: 'recu {{commande}}' }],
    },
  })
  await service.db`update conversations set received_datetime = now() - interval '25 hours'`
  await service.db`update whatsapp_users set received_datetime = now() - interval '25 hours', sent_datetime = null`
  await page.reload()
  await page.getByText(/^La fenêtre de 24 heures de WhatsApp s’est terminée/).waitFor()
  await button('Envoyer un modèle').click()
  await dialog()
    .getByRole('button', { name: /Expédié/ })
    .click()
  await dialog()
    .getByText(/^Remplissez d’abord/)
    .waitFor()
  await dialog().getByLabel('prenom').fill('Ada')
  await dialog().getByLabel('commande').fill('1042')
  await isFrench()
  await dialog().getByRole('button', { name: 'Envoyer', exact: true }).click()
  const sent = thread.locator('.talk', { hasText: 'Bonjour Ada' })
  await sent.getByText('Commande 1042').waitFor()
  await sent.getByText('Bien reçu').waitFor()
  await until('it at Meta', () => meta.taken.some(({ type }) => type === 'template'))
  await handsets.write(ADA, handsets.answer(ADA, 'Bien reçu'))
  await thread.locator('.talk:not(.mine)', { hasText: 'Bien reçu' }).waitFor()
  await isFrench()

  const sandbox = await openService()
  await enter(at.context, sandbox, sandbox.id)
  const template = await sandbox.call<{ id: string }>('POST', '/templates', {
    name: 'Expédié',
    content: 'Votre commande arrive demain.',
    whatsapp: {
      name: 'expedie',
      language: 'fr',
      parameters: [],
      header: { location: { latitude: '6.4281', longitude: '3.4219' } },
      buttons: [
        { index: 0, payload: 'recu' },
        { index: 1, code: 'PRINTEMPS' },
      ],
    },
  })
  await sandbox.call('POST', '/sms/send', {
    recipients: ADA,
    channel: 'whatsapp',
    template_id: template.body.id,
  })
  await openPage(page, sandbox, 'phones')
  const phone = page.getByRole('article', { name: /^Téléphone/ })
  await phone.getByRole('link', { name: 'Lieu' }).waitFor()
  await phone.getByRole('button', { name: 'Copier PRINTEMPS' }).waitFor()
  await phone.getByRole('button', { name: 'recu' }).click()
  await phone.locator('.bubble-row.mine').getByText('recu').waitFor()
  await isFrench()
  await phone.getByLabel('Fichier à joindre').setInputFiles({ name: 'colis.png', mimeType: 'image/png', buffer: PNG })
  await phone.locator('.file-line').getByText('Image').waitFor()
  await isFrench()
  await phone.getByRole('button', { name: 'Envoyer la réponse' }).click()
  await phone.locator('.bubble-row.mine').getByRole('img', { name: 'colis.png' }).waitFor()
  await isFrench()
  await sandbox.close()
})
