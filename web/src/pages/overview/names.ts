import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue({ overview: 'Overview' }, { de: () => import('./names.de.ts') })
