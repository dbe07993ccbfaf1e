import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  title: 'Was belegt den Speicherplatz?',
  measuring: 'Wird gemessen. Bei vielen Dateien dauert das einige Sekunden…',
  again: 'Wird neu gemessen…',
  folders: 'Ordner',
  root: 'Alle Dateien',
  here: 'In diesem Ordner',
  everywhere: 'Größte Dateien',
  show: 'Anzeigen',
  total: '{size} in {folder}',
  allFiles: 'allen Dateien',
  truncated:
    'Nicht alles konnte gemessen werden: Die Größen können zu klein sein. Öffnen Sie einen Ordner, um ihn allein zu messen.',
  open: '{folder} öffnen: {size}',
  percent: '{percent} %',
  inFolder: 'in {folder}',
  others: '{count, plural, one {# kleinerer Eintrag} other {# kleinere Einträge}}',
  delete: '{file} löschen',
  bin: 'Gelöschte Dateien',
  binShow: 'Gelöschte Dateien anzeigen',
  none: 'Hier belegt nichts Speicherplatz',
  noneText: 'In diesem Ordner sind keine Dateien.',
})
