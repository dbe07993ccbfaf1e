import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  imageChosen: 'Image gewählt',
  imageChosenText: 'Es gilt ab dem nächsten Start.',
  image: 'Image',
  imageHelp: 'Worin das Programm läuft, etwa eine Java-Version',
  newerVersion:
    'Eine neuere Version von {template} ist verfügbar (dieser Server verwendet v{version})',
  openTemplate: 'Vorlage öffnen',
  newerVersionText:
    'Aktualisieren Sie diesen Server auf der Seite der Vorlage. Seine Dateien bleiben erhalten.',
  newerVersionFromHost:
    'Ihr Anbieter kann diesen Server aktualisieren. Seine Dateien bleiben erhalten.',
  variables: 'Variablen',
  noVariables: 'Diese Vorlage hat keine Variablen.',
  startup: 'Start',
  variablesSaved: 'Variablen gespeichert',
  variablesSavedText: 'Sie gelten ab dem nächsten Start.',
  setByHost: 'Vom Anbieter festgelegt',
  describedAndSetByHost: '{description} · Vom Anbieter festgelegt',
  command: 'Befehl',
  imageCommand: 'Der Standardbefehl des Images.',
  commandFrom: 'Aus {template} v{version}',
})
