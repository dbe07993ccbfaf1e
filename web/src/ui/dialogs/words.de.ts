import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  typeToConfirm: 'Zum Bestätigen „{text}“ eingeben',
  typeFirst: 'Geben Sie zuerst den Namen ein',
  cancel: 'Abbrechen',
  discardTitle: 'Änderungen verwerfen?',
  typedIsLost: 'Ihre Eingaben hier sind nicht gespeichert.',
  discardChanges: 'Änderungen verwerfen',
  navigation: 'Navigation',
  close: 'Schließen',
  showCommand: 'Als curl anzeigen',
})
