import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue({ audit: 'Audit' }, { de: () => import('./names.de.ts') })
