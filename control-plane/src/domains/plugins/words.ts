import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about plugins. */
export const t = catalogue(
  {
    failed: '{plugin} failed and was turned off',
    updateAvailable: '{plugin} {newest} is available',
    updateAvailableBody:
      'The version {version} is installed. The page of the plugin shows what the newer one may do, and updates to it.',
  },
  { de: () => import('./words.de.ts') },
)
