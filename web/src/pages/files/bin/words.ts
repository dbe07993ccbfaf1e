import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    deletedFiles: 'Deleted files',
    lead: 'What is deleted here or through the API can be restored for some days, as long as the disk has room for it.',
    used: '{size} of the disk',
    none: 'No deleted files',
    noneText:
      'What you delete waits here for some days. Files that are deleted over SFTP or by the server itself do not.',
    restore: 'Restore',
    restoreOne: 'Restore {file}',
    deleteOne: 'Delete {file} permanently',
    deleteQuestion: 'Delete {file} permanently? After that, only a backup can restore it.',
    deleteForGood: 'Delete permanently',
    empty: 'Empty…',
    emptyQuestion: 'Delete everything here permanently? After that, only a backup can restore it.',
    emptyVerb: 'Delete everything',
    inFolder: 'in {folder}',
    facts: '{size}, deleted <when></when>',
    factsBy: '{size}, deleted <when></when> by {who}',
    until: 'kept until <when></when>',
    more: 'Load more',
    restored: 'Restored {file}',
    restoredAs: 'Its name was in use, so it is now called {name}.',
    notRestored: 'Could not restore {file}',
    notDeleted: 'Could not delete it permanently',
  },
  { de: () => import('./words.de.ts') },
)
