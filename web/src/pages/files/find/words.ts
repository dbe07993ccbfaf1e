import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    findIn: 'Find in {folder}',
    allFiles: 'all files',
    name: 'Name',
    nameHelp: 'A part of it, or a pattern such as *.yml',
    content: 'Text in the file',
    caseSensitive: 'Match case',
    find: 'Find',
    fillOne: 'Type a name or a text first',
    found: '{count, plural, one {# file found} other {# files found}}',
    truncated: 'There is more: search in a folder, or for something longer.',
    nothing: 'No file matches',
    line: 'line {line}',
    results: 'Found files',
  },
  { de: () => import('./words.de.ts') },
)
