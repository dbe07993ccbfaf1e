import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  modeNotSaved: 'Der Farbmodus konnte nicht gespeichert werden',
  languageNotSaved: 'Die Sprache wurde nicht gespeichert',
  densityNotSaved: 'Die Dichte konnte nicht gespeichert werden',
  listNotSaved: 'Die Liste konnte nicht gespeichert werden',
  missingPermission: 'Ihnen fehlt die Berechtigung {permission}',
})
