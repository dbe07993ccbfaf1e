import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue({
  typeToConfirm: 'Type “{text}” to confirm',
  typeFirst: 'Type the name first',
  cancel: 'Cancel',
  navigation: 'Navigation',
  close: 'Close',
  showCommand: 'Show as curl',
})
