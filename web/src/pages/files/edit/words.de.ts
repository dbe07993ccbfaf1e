import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  textOf: 'Text von {file}',
  plainText: 'Einfacher Text',
  encodingUtf8: 'UTF-8',
  encodingBom: 'UTF-8 mit BOM',
  encodingUtf16le: 'UTF-16 LE',
  encodingUtf16be: 'UTF-16 BE',
  encodingLatin1: 'Latin 1',
  endsLf: 'LF',
  endsCrlf: 'CRLF',
  endsCr: 'CR',
  endsMixed: 'Gemischte Zeilenenden',
  encodingTitle: 'Die Kodierung bleibt wie in der Datei',
  endsTitle: 'Die Zeilenenden bleiben wie in der Datei',
  unsaved: 'Ungespeichert',
  readOnly: 'Nur lesen',
  save: 'Speichern',
  nothingChanged: 'Nichts wurde geändert',
  revert: 'Verwerfen',
  revertTitle: 'Änderungen verwerfen?',
  revertText:
    'Der Text wird auf den aktuellen Stand des Servers gesetzt. Ihre Eingaben gehen verloren.',
  revertVerb: 'Änderungen verwerfen',
  download: 'Herunterladen',
  savedToast: '{file} gespeichert',
  becomesUtf8: 'Sie enthält Zeichen, die es in Latin 1 nicht gibt: Die Datei ist ab jetzt UTF-8.',
  conflictTitle: 'Jemand hat diese Datei inzwischen geändert',
  conflictText:
    'Links steht die Fassung vom Server, rechts Ihre. Übernehmen Sie, was Sie behalten möchten, und speichern Sie dann.',
  conflictTextNarrow:
    'Ihr Text im Vergleich mit der aktuellen Fassung auf dem Server. Ändern Sie ihn, wie er sein soll, und speichern Sie dann.',
  deletedTitle: 'Jemand hat diese Datei inzwischen gelöscht',
  deletedText:
    'Ihr Text ist noch da. Speichern Sie ihn, um die Datei neu anzulegen, oder verlassen Sie die Seite.',
  makeAgain: 'Als neue Datei speichern',
  useMine: 'Meine verwenden',
  useTheirs: 'Andere verwenden',
  saveMerged: 'Ergebnis speichern',
  notShownYet: 'Die beiden Fassungen werden noch nicht angezeigt',
  theirs: 'Auf dem Server',
  mine: 'Ihre Fassung',
  tooLargeTitle: 'Diese Datei ist zu groß, um sie hier zu bearbeiten',
  tooLargeText:
    'Sie ist {size} groß; bearbeiten lassen sich Dateien bis {most}. Laden Sie sie herunter, oder lesen Sie unten ihr Ende.',
  binaryTitle: 'Diese Datei ist kein Text',
  binaryText:
    'Sie ist {size} groß. Laden Sie sie herunter, um sie mit dem passenden Programm zu öffnen.',
  endOf: 'Ende von {file}',
  packedTitle: 'Text in {file}',
  packedCut:
    'Nur die ersten {most} werden angezeigt. Laden Sie die Datei herunter, um den Rest zu lesen.',
  refresh: 'Neu laden',
  goneTitle: 'Diese Datei gibt es nicht',
  goneText: 'Vielleicht wurde {path} verschoben oder gelöscht.',
  toFolder: 'Ordner anzeigen',
})
