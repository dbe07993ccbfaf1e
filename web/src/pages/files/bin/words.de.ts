import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  deletedFiles: 'Gelöschte Dateien',
  lead: 'Was hier oder über die API gelöscht wird, lässt sich einige Tage lang wiederherstellen, solange auf der Festplatte Platz dafür ist.',
  used: '{size} der Festplatte',
  none: 'Keine gelöschten Dateien',
  noneText:
    'Was Sie löschen, bleibt hier einige Tage liegen. Für das, was über SFTP oder vom Server selbst gelöscht wird, gilt das nicht.',
  restore: 'Wiederherstellen',
  restoreOne: '{file} wiederherstellen',
  deleteOne: '{file} endgültig löschen',
  deleteQuestion: '{file} endgültig löschen? Danach hilft nur noch ein Backup.',
  deleteForGood: 'Endgültig löschen',
  empty: 'Leeren…',
  emptyQuestion: 'Alles hier endgültig löschen? Danach hilft nur noch ein Backup.',
  emptyVerb: 'Alles löschen',
  inFolder: 'in {folder}',
  facts: '{size}, gelöscht <when></when>',
  factsBy: '{size}, gelöscht <when></when> von {who}',
  until: 'aufbewahrt bis <when></when>',
  more: 'Mehr laden',
  restored: '{file} wiederhergestellt',
  restoredAs: 'Der Name war vergeben: Es heißt jetzt {name}.',
  notRestored: '{file} ließ sich nicht wiederherstellen',
  notDeleted: 'Das ließ sich nicht endgültig löschen',
})
