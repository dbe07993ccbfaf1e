import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    modeNotSaved: 'Could not save the colour mode',
    languageNotSaved: 'The language was not saved',
    densityNotSaved: 'Could not save the density',
    listNotSaved: 'Could not save the list',
    missingPermission: 'You lack the permission {permission}',
  },
  { de: () => import('./words.de.ts') },
)
