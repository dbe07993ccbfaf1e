import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    typeToConfirm: 'Type “{text}” to confirm',
    typeFirst: 'Type the name first',
    cancel: 'Cancel',
    discardTitle: 'Discard changes?',
    typedIsLost: 'What you entered here is not saved.',
    discardChanges: 'Discard changes',
    navigation: 'Navigation',
    close: 'Close',
    showCommand: 'Show as curl',
  },
  { de: () => import('./words.de.ts') },
)
