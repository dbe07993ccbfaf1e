import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  saveChanges: 'Änderungen speichern',
  discard: 'Verwerfen',
  changes:
    '{count, plural, one {# Änderung} other {# Änderungen}}: {more, plural, =0 {{names}} other {{names} und # weitere}}',
  leaveTitle: 'Änderungen verwerfen?',
  typedIsLost: 'Ihre Eingaben auf dieser Seite sind nicht gespeichert.',
  notSaved: 'Ohne Speichern verlieren Sie {changes}.',
  default: 'Standard: {value}',
  reset: 'Zurücksetzen<hidden>: {field}</hidden>',
  emptyValue: '(leer)',
  range: 'Von {least} bis {most}',
})
