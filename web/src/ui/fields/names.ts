import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    showPassword: 'Show or hide the password',
    cores: '{cores, plural, one {# core} other {# cores}}',
    coreWords: 'c core cores',
    cpu: '{percent} ({cores})',
  },
  { de: () => import('./names.de.ts') },
)
