import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  cancel: 'Abbrechen',
  required: 'Bitte ausfüllen',
  notValid: 'Ist nicht gültig',
  tooFew: 'Braucht mindestens {count}',
  tooMuch: 'Darf höchstens {most} sein',
  tooLittle: 'Muss mindestens {least} sein',
  tooLong: '{count, plural, one {Höchstens # Zeichen} other {Höchstens # Zeichen}}',
  badCharacters: 'Enthält Zeichen, die hier nicht erlaubt sind',
  notAnAmount: 'Geben Sie eine gültige Menge an',
  nothingChanged: 'Sie haben nichts geändert',
})
