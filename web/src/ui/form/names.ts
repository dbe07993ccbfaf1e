import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    cancel: 'Cancel',
    required: 'Is required',
    notValid: 'Is not valid',
    tooFew: 'Needs at least {count}',
    tooMuch: 'Must be at most {most}',
    tooLittle: 'Must be at least {least}',
    tooLong: '{count, plural, one {At most # character} other {At most # characters}}',
    badCharacters: 'Has characters that are not allowed here',
    notAnAmount: 'Is not an amount',
    nothingChanged: 'You have not changed anything',
  },
  { de: () => import('./names.de.ts') },
)
