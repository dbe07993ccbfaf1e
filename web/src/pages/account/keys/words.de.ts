import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  lead: 'Mit einem SSH-Schlüssel erreichen Sie die Dateien Ihrer Server über SFTP, ohne Passwort. Wie Sie sich verbinden, zeigt der Tab „Dateien“ jedes Servers. <link>Mehr über SSH-Schlüssel</link>',
  sshKeys: 'SSH-Schlüssel',
  noKeys: 'Es gibt noch keinen Schlüssel.',
  name: 'Name',
  nameHelp: 'Etwa der Rechner, auf dem der Schlüssel liegt',
  nameMissing: 'Geben Sie zuerst einen Namen ein',
  publicKey: 'Öffentlicher Schlüssel',
  publicKeyHelp: 'Die Zeile der Datei, die auf .pub endet, etwa ~/.ssh/id_ed25519.pub',
  keyMissing: 'Fügen Sie zuerst den öffentlichen Schlüssel ein',
  addKey: 'Schlüssel hinzufügen',
  keyAdded: 'Der Schlüssel wurde hinzugefügt',
  removeQuestion: '{name} entfernen? Damit aufgebaute Verbindungen enden.',
  removeKey: 'Schlüssel entfernen',
  notRemoved: 'Der Schlüssel wurde nicht entfernt',
})
