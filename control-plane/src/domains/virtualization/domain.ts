import { defineDomain } from '../../domain.ts'
import { cacheTask } from './media/caches.ts'
import { checkMedium } from './media/check-medium.ts'
import { uploadTask } from './media/uploads.ts'
import { seedBuiltInProfiles } from './profiles/built-in.ts'
import * as routes from './routes.ts'

/** Parts of machines: hardware profiles, media and networks. */
export const virtualization = defineDomain({
  name: 'virtualization',
  headings: [
    {
      name: 'Virtualization',
      description: 'What machines are made from: hardware profiles, media and networks.',
      paths: ['/api/virtualization'],
    },
  ],
  routes: [routes],
  sagas: [checkMedium],
  periodic: [uploadTask, cacheTask],
  start: seedBuiltInProfiles,
})
