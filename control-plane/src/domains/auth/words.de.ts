import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  passwordChanged: 'Ihr Passwort wurde geändert',
  passwordChangedFrom: '{device}, {address}. Alle anderen Geräte wurden abgemeldet.',
  factorsChanged: 'Ihre zweiten Faktoren wurden geändert',
  factorChange:
    '{change, select, totpAdded {Eine Authenticator-App wurde hinzugefügt} totpRemoved {Die Authenticator-App wurde entfernt} passkeyAdded {Ein Passkey wurde hinzugefügt} removedByHost {Der Anbieter hat alle entfernt} removedByCommand {Ein Befehl auf dem Rechner des Panels hat alle entfernt} other {Ein Passkey wurde entfernt}}',
  codeUsed: 'Ein Wiederherstellungscode wurde benutzt',
  codeUsedFrom: 'Von {address}. Übrige Codes: {left}.',
  newDevice: 'Anmeldung von einem neuen Gerät',
  newDeviceAt: '{device}, {address}. Falls Sie das nicht waren, ändern Sie Ihr Passwort.',
  tokenCreated: 'Ein API-Token wurde erstellt',
  tokenName: 'Er heißt {name}. Er handelt in Ihrem Namen.',
})
