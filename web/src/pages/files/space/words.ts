import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    title: 'What takes the space?',
    measuring: 'Measuring. Many files take some seconds…',
    again: 'Measuring again…',
    folders: 'Folders',
    root: 'All files',
    here: 'In this folder',
    everywhere: 'Largest files',
    show: 'Show',
    total: '{size} in {folder}',
    allFiles: 'all files',
    truncated:
      'Not everything could be measured: the sizes may be too small. Open a folder to measure it alone.',
    open: 'Open {folder}: {size}',
    percent: '{percent}%',
    inFolder: 'in {folder}',
    others: '{count, plural, one {# smaller one} other {# smaller ones}}',
    delete: 'Delete {file}',
    bin: 'Deleted files',
    binShow: 'Show deleted files',
    none: 'Nothing takes space here',
    noneText: 'This folder has no files.',
  },
  { de: () => import('./words.de.ts') },
)
