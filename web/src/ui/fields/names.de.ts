import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  showPassword: 'Passwort anzeigen oder verbergen',
  cores: '{cores, plural, one {# Kern} other {# Kerne}}',
  coreWords: 'k kern kerne kernen',
  cpu: '{percent} ({cores})',
})
