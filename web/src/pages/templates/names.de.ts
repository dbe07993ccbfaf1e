import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  templates: 'Vorlagen',
  newTemplate: 'Neue Vorlage',
  importTemplate: 'Vorlage importieren',
})
