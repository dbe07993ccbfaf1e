import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    saveChanges: 'Save changes',
    discard: 'Discard',
    changes:
      '{count, plural, one {# change} other {# changes}}: {more, plural, =0 {{names}} other {{names} and # more}}',
    leaveTitle: 'Discard changes?',
    typedIsLost: 'What you entered on this page is not saved.',
    notSaved: 'You have not saved {changes}.',
    default: 'Default: {value}',
    reset: 'Reset<hidden> {field}</hidden>',
    emptyValue: '(empty)',
    range: 'From {least} to {most}',
  },
  { de: () => import('./words.de.ts') },
)
