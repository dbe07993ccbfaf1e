import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  findIn: 'In {folder} suchen',
  allFiles: 'allen Dateien',
  name: 'Name',
  nameHelp: 'Ein Teil davon oder ein Muster wie *.yml',
  content: 'Text in der Datei',
  caseSensitive: 'Groß-/Kleinschreibung',
  find: 'Suchen',
  fillOne: 'Geben Sie zuerst einen Namen oder Text ein',
  found: '{count, plural, one {# Datei gefunden} other {# Dateien gefunden}}',
  truncated: 'Es gibt noch mehr: Suchen Sie in einem Ordner oder nach etwas Längerem.',
  nothing: 'Keine Datei gefunden',
  line: 'Zeile {line}',
  results: 'Gefundene Dateien',
})
