import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue({
  saveChanges: 'Save changes',
  discard: 'Discard',
  changes:
    '{count, plural, one {# change} other {# changes}}: {more, plural, =0 {{names}} other {{names} and # more}}',
  discardTitle: 'Discard changes?',
  notSaved: 'You have not saved {changes}.',
  discardChanges: 'Discard changes',
  cancel: 'Cancel',
  default: 'Default: {value}',
  reset: 'Reset<hidden> {field}</hidden>',
  emptyValue: '(empty)',
  range: 'From {least} to {most}',
})
