import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue({ failover: 'Failover' }, { de: () => import('./names.de.ts') })
