import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  email: 'E-Mail',
  templates: 'E-Mail-Vorlagen',
  templatesKeywords: 'wortlaut texte mails',
})
