import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  mail: 'E-Mail und Meldungen',
  mailKeywords: 'Support eingehend E-Mail Brücke smtp Webhook Geheimnis Missbrauch Formular',
  macros: 'Makros',
  macrosKeywords: 'Support Textbausteine Antwortvorlagen Desk snippets',
})
